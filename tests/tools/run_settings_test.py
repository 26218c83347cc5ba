"""`artel run`: what it sets for the program, and its own command line."""
import shutil
import subprocess
import unittest

from run_case import SANITIZED, RunCase, compile_c
from support import clean_environment


class Settings(RunCase):
    def test_library_is_loaded_into_the_program(self):
        done = self.run_artel("cat", "/proc/self/maps")
        self.assertIn(str(self.library), done.stdout)

    def test_preload_goes_before_what_the_user_has(self):
        other = self.root / "lib" / "other.so"
        compile_c("int other_library;", other, "-shared", "-fPIC")
        self.assertEqual(
            self.environment(LD_PRELOAD=str(other))["LD_PRELOAD"], f"{self.library}:{other}"
        )
        both = f"{other} {self.library}"
        self.assertEqual(self.environment(LD_PRELOAD=both)["LD_PRELOAD"], f"{self.library}:{other}")

    @unittest.skipIf(SANITIZED, "the tool itself needs the real one")
    def test_sanitizer_runtimes_stay_first(self):
        sanitizer = self.root / "libasan.so.8"
        compile_c("int sanitizer_library;", sanitizer, "-shared", "-fPIC")
        self.assertEqual(
            self.environment(LD_PRELOAD=str(sanitizer))["LD_PRELOAD"], f"{sanitizer}:{self.library}"
        )

    def test_options_become_variables(self):
        seen = self.environment(
            "--threads", "3", "--numa", "0", "--bind=none", "--wait", "passive", "--spin", "7", "--"
        )
        expected = {
            "ARTEL_NUM_THREADS": "3",
            "OMP_NUM_THREADS": "3",
            "ARTEL_NUMAS": "0",
            "ARTEL_BIND": "none",
            "ARTEL_WAIT": "passive",
            "ARTEL_SPIN": "7",
        }
        self.assertEqual({name: seen.get(name) for name in expected}, expected)

    def test_nothing_else_is_set(self):
        seen = self.environment()
        self.assertEqual([name for name in seen if name.startswith(("ARTEL_", "OMP_"))], [])

    def test_why_a_node_that_is_there_cannot_be_used(self):
        """hwloc is told to describe another machine, where the kernel, by our own view of it in a
        mount namespace, has two nodes."""
        target = "/sys/devices/system/node/online"
        file = self.root / "online"
        file.write_text("0-1\n")
        script = f'mount --bind "{file}" {target} && exec "$@"'
        prefix = ("unshare", "-m", "sh", "-c", script, "sh")
        if subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
            self.skipTest("no right to mount")
        done = subprocess.run(
            [*prefix, self.tool, "run", "--numa", "1", "true"],
            capture_output=True,
            text=True,
            env=clean_environment(HWLOC_SYNTHETIC="numa:2 core:2 pu:1"),
        )
        self.assertEqual(done.returncode, 125, done.stderr)
        self.assertIn(
            "--numa 1: NUMA node 1 does not exist, there is only node 0; all CPUs count as one NUMA"
            " node, because ",
            done.stderr,
        )

    def test_variables_are_read_as_the_library_reads_them(self):
        openblas = self.root / "lib" / "libartel-openblas.so.1"
        compile_c("int openblas_stand_in;", openblas, "-shared", "-fPIC")
        self.addCleanup(openblas.unlink)
        for text in ("true", " true", "true\n"):
            self.assertEqual(
                self.environment(ARTEL_BLAS=text)["LD_PRELOAD"], f"{self.library}:{openblas}", text
            )
        self.assertEqual(self.environment(ARTEL_BLAS="maybe")["LD_PRELOAD"], str(self.library))

    def test_whoever_looks_for_onetbb_finds_ours(self):
        folder = self.root / "lib" / "tbb"
        folder.mkdir()
        self.addCleanup(shutil.rmtree, folder)
        ours = folder / "libtbb.so.12"
        compile_c(
            'const char *answer(void) { return "ours"; }',
            ours,
            "-shared",
            "-fPIC",
            "-Wl,-soname,libtbb.so.12",
        )
        theirs = self.root / "theirs"
        theirs.mkdir()
        compile_c(
            'const char *answer(void) { return "theirs"; }',
            theirs / "libtbb.so.12",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libtbb.so.12",
        )
        program = self.root / "asks_onetbb"
        compile_c(
            "#include <stdio.h>\nconst char *answer(void);\nint main(void) { puts(answer()); }",
            program,
            "-Wl,--no-as-needed",
            str(theirs / "libtbb.so.12"),
            f"-Wl,--enable-new-dtags,-rpath,{theirs}",
        )
        self.assertEqual(self.run_artel(str(program)).stdout, "ours\n")
        self.assertEqual(self.run_artel("--no-tbb", str(program)).stdout, "theirs\n")
        self.assertEqual(self.environment()["LD_LIBRARY_PATH"], str(folder))
        self.assertEqual(
            self.environment(LD_LIBRARY_PATH="/a:/b")["LD_LIBRARY_PATH"], f"{folder}:/a:/b"
        )
        within = f"{folder}:/a"
        self.assertEqual(self.environment(LD_LIBRARY_PATH=within)["LD_LIBRARY_PATH"], within)
        self.assertNotIn("LD_LIBRARY_PATH", self.environment("--no-tbb"))
        self.assertEqual(self.run_artel("--tbb", "--no-tbb", "true").returncode, 125)
        # Within another one.
        self.assertNotIn("LD_LIBRARY_PATH", self.environment(self.tool, "run", "--no-tbb"))
        within = self.environment(self.tool, "run", "--no-tbb", LD_LIBRARY_PATH="/a::/b")
        self.assertEqual(within["LD_LIBRARY_PATH"], "/a::/b")
        preloaded = self.root / "lib" / "libtbb-artel.so.12"
        shutil.copy(ours, preloaded)
        self.addCleanup(preloaded.unlink)
        self.assertIn(str(preloaded), self.environment("--tbb")["LD_PRELOAD"])
        within = self.environment("--tbb", self.tool, "run", "--no-tbb")
        self.assertEqual(within["LD_PRELOAD"], str(self.library))

    def test_threads_leave_the_users_omp_num_threads(self):
        seen = self.environment("-n", "3", OMP_NUM_THREADS="5", ARTEL_NUM_THREADS="9")
        self.assertEqual((seen["ARTEL_NUM_THREADS"], seen["OMP_NUM_THREADS"]), ("3", "5"))
        self.assertNotIn("OMP_NUM_THREADS", self.environment("--threads", "auto"))
        # Ours are decimal, those of OpenMP may be octal.
        self.assertEqual(self.environment("--threads", "010")["OMP_NUM_THREADS"], "10")


class CommandLine(RunCase):
    def test_options_after_the_program_are_the_programs(self):
        done = self.run_artel("--", "echo", "--threads", "--", "--stats", "a b", "")
        self.assertEqual(done.stdout, "--threads -- --stats a b \n")
        self.assertEqual(self.run_artel("echo", "--help", "-n").stdout, "--help -n\n")

    def test_wrong_command_lines_give_one_line_and_125(self):
        for arguments, words in (
            (
                ["--threads", "0", "true"],
                "--threads 0: expected a whole number from 1 to 1024, or auto",
            ),
            (["--threads", "1025", "true"], "--threads 1025: expected"),
            (["--threads", "", "true"], "--threads '': expected"),
            (["--numa", "", "true"], "--numa '': expected"),
            (["--threads=", "true"], "--threads"),
            (
                ["--numa", "7-8,1023", "true"],
                "--numa 7-8,1023: NUMA nodes 7-8,1023 do not exist, there ",
            ),
            (["--numa", "0,1023", "true"], "--numa 0,1023: NUMA node 1023 does not exist, there "),
            (["--threads", "x", "true"], "--threads x: expected"),
            (["--wait", "never", "true"], "--wait never: expected one of auto, active, passive"),
            (["--bind", "x", "true"], "--bind x: expected"),
            (["--numa", "x", "true"], "--numa x: expected"),
            (["--thread", "3", "true"], "not expected: --thread"),
            (["--threads"], "--threads"),
            ([], "no program given"),
            (["--"], "no program given"),
        ):
            done = self.run_artel(*arguments)
            self.assertEqual(done.returncode, 125, arguments)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_help(self):
        done = self.run_artel("--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("PROGRAM [ARGUMENTS...]", done.stdout)


if __name__ == "__main__":
    unittest.main()
