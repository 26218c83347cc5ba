"""`artel run`: what it sets, what it finds, what it refuses, and that the program's own behaviour
shows through.

A copy of the tool stands beside a stand-in for the OpenMP library, which only shows that it was
loaded. So these tests are about the tool alone; the real library has tests of its own."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from support import TOOL, artel, clean_environment

PAGES_OF_MEMORY = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static long kib(const char *name)
{
    char line[256];
    long sum = 0, value;
    FILE *file = fopen("/proc/self/smaps", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name)) && sscanf(line + strlen(name), ": %ld", &value) == 1)
            sum += value;
    if (file)
        fclose(file);
    return sum;
}
int main(void)
{
    enum { bytes = 64 << 20 };
    char *const by_malloc = malloc(bytes);
    memset(by_malloc, 1, bytes);
    const long first = kib("AnonHugePages");
    char *const advised = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(advised, bytes, MADV_HUGEPAGE);
    memset(advised, 1, bytes);
    printf("{\"malloc\": %ld, \"advised\": %ld, \"explicit\": %ld}", first, kib("AnonHugePages") - first, kib("Private_Hugetlb"));
    return by_malloc[bytes - 1] + advised[bytes - 1] - 2;
}
"""

SANITIZED = any(
    name in subprocess.run(["ldd", TOOL], capture_output=True, text=True).stdout
    for name in ("libasan", "libtsan")
)

STAND_IN = 'const char *artel_stand_in(void) { return "loaded"; }\n'


def compile_c(source: str, target: pathlib.Path, *flags: str) -> bool:
    done = subprocess.run(
        ["cc", *flags, "-x", "c", "-", "-o", target], input=source, text=True, capture_output=True
    )
    return done.returncode == 0


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="artel-run-")
        cls.root = pathlib.Path(cls.folder.name)
        (cls.root / "bin").mkdir()
        (cls.root / "lib").mkdir()
        cls.tool = str(cls.root / "bin" / "artel")
        shutil.copy(TOOL, cls.tool)
        for library in (pathlib.Path(TOOL).parent.parent / "lib").glob("libartel.so*"):
            (cls.root / "lib" / library.name).symlink_to(library)
        cls.library = cls.root / "lib" / "libgomp-artel.so.1"
        if not compile_c(STAND_IN, cls.library, "-shared", "-fPIC"):
            raise unittest.SkipTest("no C compiler")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_artel(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
        return artel("run", *arguments, tool=self.tool, **variables)

    def environment(self, *arguments: str, **variables: str) -> dict[str, str]:
        """The environment that a program gets."""
        done = self.run_artel(*arguments, "env", "-0", **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return dict(entry.split("=", 1) for entry in done.stdout.split("\0") if entry)

    def script(self, name: str, text: str, mode: int = 0o755) -> str:
        path = self.root / name
        path.write_text(text)
        path.chmod(mode)
        return str(path)

    # --- what is set ---

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

    def test_threads_leave_the_users_omp_num_threads(self):
        seen = self.environment("-n", "3", OMP_NUM_THREADS="5", ARTEL_NUM_THREADS="9")
        self.assertEqual((seen["ARTEL_NUM_THREADS"], seen["OMP_NUM_THREADS"]), ("3", "5"))
        self.assertNotIn("OMP_NUM_THREADS", self.environment("--threads", "auto"))
        # Ours are decimal, those of OpenMP may be octal.
        self.assertEqual(self.environment("--threads", "010")["OMP_NUM_THREADS"], "10")

    # --- the command line ---

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

    # --- finding the program ---

    def test_program_not_found_is_127(self):
        for name in ("no-such-program", "./no-such-program", "/no/such/program", ""):
            done = self.run_artel("--", name)
            self.assertEqual(done.returncode, 127, name)
            self.assertTrue(done.stderr.startswith("artel run: "), done.stderr)

    def test_program_not_executable_is_126(self):
        plain = self.script("plain", "#!/bin/sh\n", 0o644)
        for name in (plain, str(self.root)):
            done = self.run_artel(name)
            self.assertEqual(done.returncode, 126, name)
        done = self.run_artel("plain", PATH=str(self.root))
        self.assertEqual(done.returncode, 126)

    def test_unusable_file_in_path_does_not_hide_a_usable_one(self):
        (self.root / "early").mkdir(exist_ok=True)
        hidden = self.root / "early" / "env"
        hidden.write_text("")
        hidden.chmod(0o644)
        done = self.run_artel("env", PATH=f"{hidden.parent}:{os.environ['PATH']}")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_script_with_missing_interpreter(self):
        done = self.run_artel(self.script("lost", "#!/no/such/interpreter\n"))
        self.assertEqual(done.returncode, 127)
        self.assertIn("interpreter '/no/such/interpreter'", done.stderr)

    def test_scripts_run(self):
        self.assertEqual(
            self.run_artel(self.script("hello", "#!/usr/bin/env sh\necho hello\n")).stdout,
            "hello\n",
        )
        self.assertEqual(
            self.run_artel(self.script("bare", "echo bare $1\n"), "x").stdout, "bare x\n"
        )

    # --- programs that cannot be helped ---

    def test_static_program_is_warned_about_and_runs(self):
        program = self.root / "static"
        if not compile_c("int main(void) { return 7; }", program, "-static"):
            self.skipTest("cannot link statically here")
        done = self.run_artel(str(program))
        self.assertEqual(done.returncode, 7)
        self.assertIn("will run without Artel, because it is statically linked", done.stderr)
        done = self.run_artel(self.script("over-static", f"#!{program}\n"))
        self.assertIn(f"of its interpreter {program}: it is statically linked", done.stderr)

    def test_32_bit_program_is_warned_about(self):
        program = self.root / "bits32"
        shutil.copy("/bin/true", program)
        with open(program, "r+b") as file:
            file.seek(4)
            file.write(b"\x01")
        done = self.run_artel(str(program))
        self.assertIn("because it is a 32-bit program", done.stderr)

    def test_set_uid_program_is_warned_about(self):
        program = self.root / "setuid"
        shutil.copy("/bin/true", program)
        try:
            os.chown(program, 12345, -1)
        except PermissionError:
            self.skipTest("only root can make a program set-uid for somebody else")
        program.chmod(0o4755)
        done = self.run_artel(str(program))
        self.assertEqual(done.returncode, 0)
        self.assertIn("because it is set-uid", done.stderr)

    # --- the library ---

    def test_missing_library_is_125_and_says_where_it_looked(self):
        other = self.root / "elsewhere"
        (other / "bin").mkdir(parents=True, exist_ok=True)
        (other / "lib").mkdir(exist_ok=True)
        shutil.copy(TOOL, other / "bin" / "artel")
        for library in (self.root / "lib").glob("libartel.so*"):
            shutil.copy(library, other / "lib" / library.name)
        done = artel("run", "true", tool=str(other / "bin" / "artel"))
        self.assertEqual(done.returncode, 125)
        self.assertIn(f"{other}/lib/libgomp-artel.so.1", done.stderr)

    def test_path_that_ld_preload_cannot_express(self):
        other = self.root / "with blank"
        shutil.copytree(self.root / "lib", other / "lib", dirs_exist_ok=True)
        (other / "bin").mkdir(exist_ok=True)
        shutil.copy(TOOL, other / "bin" / "artel")
        done = artel("run", "true", tool=str(other / "bin" / "artel"))
        self.assertEqual(done.returncode, 125)
        self.assertIn("LD_PRELOAD cannot express", done.stderr)

    # --- page policy ---

    def pages(self, *options: str, program: tuple = (), **variables: str) -> dict:
        done = self.run_artel(*options, "--", *program, self.tool, "info", "--json", **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["pages"]

    def expect_policies(self, system: str, prefix: tuple = ()) -> None:
        """What each --thp gives on a machine with that setting, also for what the program
        starts."""

        def job(how: str) -> str:
            done = self.policy_of(prefix, "--thp", how)
            if done.returncode == 125:
                self.assertIn("--thp " + how, done.stderr)
                return "refused"
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)["pages"]["transparent_job"]

        found = {how: job(how) for how in ("never", "madvise", "always")}
        expected = {
            "always": {"never": "never", "madvise": "madvise", "always": "always"},
            "madvise": {"never": "never", "madvise": "madvise", "always": "always"},
            "never": {"never": "never", "madvise": "refused", "always": "refused"},
            "": {"never": "never", "madvise": "refused", "always": "refused"},
        }[system]
        # Restricting a job to advised memory is younger than the rest (Linux 6.18).
        if system == "always" and found["madvise"] == "refused":
            expected["madvise"] = "refused"
        self.assertEqual(found, expected, system)
        for inner in ("never", "madvise", "always"):
            for outer in ("never", "madvise", "always"):
                if "refused" not in (found[inner], found[outer]):
                    done = self.policy_of(
                        prefix, "--thp", outer, "--", self.tool, "run", "--thp", inner
                    )
                    alone = self.policy_of(prefix, "--thp", inner)
                    self.assertEqual(
                        (done.returncode, done.stdout),
                        (0, alone.stdout),
                        (system, outer, inner, done.stderr),
                    )
        done = self.policy_of(prefix, "--thp", "always", "--huge-pages")
        if system == "madvise":  # malloc cannot ask for the one and take the other
            self.assertEqual(done.returncode, 125, done.stdout)
            self.assertIn("choose one of the two", done.stderr)
        elif system == "always":
            pages = json.loads(done.stdout)["pages"]
            self.assertEqual((pages["transparent_job"], pages["malloc_huge"]), ("always", True))

    def policy_of(self, prefix: tuple, *options: str) -> subprocess.CompletedProcess:
        command = [
            *prefix,
            self.tool,
            "run",
            *options,
            "--",
            "env",
            "A=1",
            self.tool,
            "info",
            "--json",
        ]
        return subprocess.run(
            command, capture_output=True, text=True, env=clean_environment(), timeout=60
        )

    def test_transparent_huge_pages_of_the_job(self):
        system = self.pages()["transparent_system"]
        self.expect_policies(system)
        self.assertEqual(self.pages()["transparent_job"], system or "never")
        self.assertEqual(self.run_artel("--thp", "sometimes", "true").returncode, 125)

    def test_machines_with_other_settings(self):
        """Our own view of the machine's setting is replaced, in a mount namespace; the kernel's
        stays as it is, and its answers are real."""
        target = "/sys/kernel/mm/transparent_hugepage/enabled"
        if not os.path.exists(target):
            self.skipTest("this kernel has no transparent huge pages")
        settings = {
            "always": "[always] madvise never\n",
            "madvise": "always [madvise] never\n",
            "never": "always madvise [never]\n",
            "": "",
        }
        for system, text in settings.items():
            file = self.root / "enabled"
            file.write_text(text)
            prefix = (
                "unshare",
                "-m",
                "sh",
                "-c",
                f'mount --bind "{file}" {target} && exec "$@"',
                "sh",
            )
            if subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
                self.skipTest("no right to mount")
            self.assertEqual(
                json.loads(self.policy_of(prefix).stdout)["pages"]["transparent_system"], system
            )
            self.expect_policies(system, prefix)

    def huge_kib_of_program(self, *options: str) -> dict[str, int]:
        """KiB of huge pages under memory from malloc and under memory that the program advises, in
        a grandchild of artel run."""
        program = self.root / "pages"
        if not program.exists():
            self.assertTrue(compile_c(PAGES_OF_MEMORY, program, "-O1"))
        done = self.run_artel(*options, "--", "sh", "-c", f"{program}; true")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_policy_is_what_the_kernel_does(self):
        system = self.pages()["transparent_system"]
        self.assertEqual(
            self.huge_kib_of_program("--thp", "never"), {"malloc": 0, "advised": 0, "explicit": 0}
        )
        usual = self.huge_kib_of_program()
        self.assertEqual(
            (usual["malloc"] > 0, usual["advised"] > 0),
            (system == "always", system in ("always", "madvise")),
        )
        if system in ("always", "madvise"):
            found = self.huge_kib_of_program("--thp", "always")
            self.assertGreater(found["malloc"], 0)
            self.assertGreater(found["advised"], 0)
        if system == "madvise":
            found = self.huge_kib_of_program("--thp", "madvise")
            self.assertEqual(found["malloc"], 0)
            self.assertGreater(found["advised"], 0)

    def test_huge_pages_are_what_malloc_takes(self):
        pool = pathlib.Path("/sys/kernel/mm/hugepages/hugepages-2048kB")
        total, wanted = pool / "nr_hugepages", 64
        free = lambda: int((pool / "free_hugepages").read_text())
        if not total.exists():
            self.skipTest("this kernel has no huge pages of 2 MiB")
        # Only what is added is taken away again: somebody else may change the number meanwhile.
        added = max(wanted - free(), 0)
        change = lambda by: total.write_text(str(max(int(total.read_text()) + by, 0)))
        if added > 0:
            if not os.access(total, os.W_OK):
                self.skipTest("no huge pages are free, and no right to reserve some")
            change(added)
            self.addCleanup(change, -added)
            if free() < wanted:
                self.skipTest("the kernel found no memory for huge pages")
        self.assertGreater(self.huge_kib_of_program("--huge-pages")["explicit"], 0)
        self.assertEqual(self.huge_kib_of_program()["explicit"], 0)

    def test_explicit_huge_pages_keep_other_tunables(self):
        done = self.run_artel(
            "--huge-pages",
            "sh",
            "-c",
            "echo $GLIBC_TUNABLES",
            GLIBC_TUNABLES="glibc.malloc.hugetlb=1:glibc.malloc.arena_max=3",
        )
        self.assertEqual(done.stdout, "glibc.malloc.arena_max=3:glibc.malloc.hugetlb=2\n")
        self.assertTrue(self.pages("--huge-pages")["malloc_huge"])

    def test_an_inner_job_keeps_what_it_does_not_choose(self):
        if self.pages()["transparent_system"] != "madvise":
            self.skipTest("malloc asks for nothing here")
        tunables = lambda *options, **variables: self.run_artel(
            *options, "sh", "-c", "echo ${GLIBC_TUNABLES-none}", **variables
        ).stdout.strip()
        inner = ("--", self.tool, "run", "--thp")
        self.assertEqual(tunables("--thp", "always"), "glibc.malloc.hugetlb=1")
        self.assertEqual(tunables("--thp", "always", *inner, "never"), "none")
        self.assertEqual(
            tunables(
                "--thp", "always", *inner, "madvise", GLIBC_TUNABLES="glibc.malloc.arena_max=3"
            ),
            "glibc.malloc.arena_max=3",
        )
        self.assertEqual(tunables("--huge-pages", *inner, "madvise"), "glibc.malloc.hugetlb=2")
        self.assertEqual(tunables("--huge-pages", *inner, "never"), "glibc.malloc.hugetlb=2")
        self.assertEqual(tunables("--huge-pages", *inner, "always"), "glibc.malloc.hugetlb=1")

    # --- the program's own behaviour shows through ---

    def test_exit_codes_and_signals(self):
        self.assertEqual(self.run_artel("sh", "-c", "exit 42").returncode, 42)
        self.assertEqual(self.run_artel("sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)
        self.assertEqual(self.run_artel("--stats", "sh", "-c", "exit 42").returncode, 42)
        self.assertEqual(
            self.run_artel("--stats", "sh", "-c", "kill -TERM $$").returncode, 128 + signal.SIGTERM
        )

    def test_process_is_replaced(self):
        child = subprocess.Popen(
            [self.tool, "run", "sh", "-c", "echo $$"],
            stdout=subprocess.PIPE,
            text=True,
            env=clean_environment(),
        )
        self.assertEqual(int(child.communicate()[0]), child.pid)

    def test_stats_are_printed_and_asked_for(self):
        done = self.run_artel("--stats", "sh", "-c", "echo $ARTEL_STATS")
        self.assertEqual(done.stdout, "true\n")
        self.assertRegex(done.stderr, r"artel run: wall [\d.]+ s, user [\d.]+ s, system [\d.]+ s")
        self.assertIn("context switches", done.stderr)
        self.assertEqual(self.run_artel("--stats", "no-such-program").returncode, 127)

    def test_stats_pass_signals_on(self):
        program = self.script(
            "waits",
            "#!/bin/sh\ntrap 'echo told; exit 9' TERM\necho ready\nwhile :; do sleep 0.05; done\n",
        )
        child = subprocess.Popen(
            [self.tool, "run", "--stats", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=clean_environment(),
        )
        self.assertEqual(child.stdout.readline(), "ready\n")
        time.sleep(0.1)
        child.terminate()
        out, _ = child.communicate(timeout=20)
        self.assertEqual((out, child.returncode), ("told\n", 9))

    def test_standard_streams_are_the_programs(self):
        done = subprocess.run(
            [self.tool, "run", "cat"],
            input="text",
            capture_output=True,
            text=True,
            env=clean_environment(),
        )
        self.assertEqual((done.stdout, done.stderr), ("text", ""))


if __name__ == "__main__":
    unittest.main()
