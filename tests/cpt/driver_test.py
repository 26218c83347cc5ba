#!/usr/bin/env python3
"""The driver in place of a compiler: options, several files, objects, libraries, dependency files,
names with blanks, plain make, messages and exit statuses."""
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CPT = ""
SUM = """#include <stdio.h>
#include "part.h"
int main(void)
{
    int s = 0;
#pragma omp parallel for reduction(+:s) num_threads(3)
    for (int i = 0; i < 10; i++) s += twice(i);
    printf("%d\\n", s);
    return s != 90;
}
"""
PART = """#include "part.h"
int twice(int x) { int y = 0;
#pragma omp parallel num_threads(2) reduction(+:y)
    y += x;
    return y; }
"""


class Driver(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="cpt driver ")
        self.at = pathlib.Path(self.folder.name)
        (self.at / "sum.c").write_text(SUM)
        (self.at / "part.c").write_text(PART)
        (self.at / "part.h").write_text("int twice(int);\n")

    def tearDown(self):
        self.folder.cleanup()

    def cpt(self, *arguments, status=0, **more):
        done = subprocess.run(
            [CPT, *arguments], capture_output=True, text=True, cwd=self.at, **more
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def runs(self, program="./out"):
        done = subprocess.run([program], capture_output=True, text=True, cwd=self.at, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (0, "90\n"), done.stderr)

    def test_files_to_program(self):
        self.cpt("c", "-O2", "-Wall", "-Werror", "sum.c", "part.c", "-o", "out")
        self.runs()

    def test_objects_then_link(self):
        self.cpt("c", "-c", "sum.c")
        self.cpt("c", "-c", "part.c", "-o", "other name.o")
        self.cpt("c", "sum.o", "other name.o", "-o", "out")
        self.runs()

    def test_shared_library(self):
        self.cpt("c", "-shared", "-fPIC", "part.c", "-o", "libpart.so")
        self.cpt("c", "sum.c", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "out")
        self.runs()

    def test_link_time_optimisation(self):
        self.cpt("c", "-O2", "-flto", "sum.c", "part.c", "-o", "out")
        self.runs()

    def test_dependencies(self):
        self.cpt("c", "-MD", "-c", "part.c", "-o", "x.o")
        rule = (self.at / "x.d").read_text()
        self.assertTrue(rule.startswith("x.o:"), rule)
        self.assertIn("part.h", rule)

    def test_assembly_and_preprocessing(self):
        self.cpt("c", "-S", "part.c")
        self.assertIn("__cp_parallel", (self.at / "part.s").read_text())
        self.assertIn("#pragma omp", self.cpt("c", "-E", "part.c").stdout)

    def test_show(self):
        self.assertIn("__cp_parallel(", self.cpt("show", "part.c").stdout)

    def test_make(self):
        (self.at / "Makefile").write_text("out: sum.o part.o\n\t$(CC) $^ -o $@\n")
        subprocess.run(["make", "-s", f"CC={CPT} c"], cwd=self.at, check=True)
        self.runs()

    def test_queries_of_the_compiler(self):
        self.assertEqual(
            self.cpt("c", "-dumpmachine").stdout,
            subprocess.run(["gcc", "-dumpmachine"], capture_output=True, text=True).stdout,
        )
        self.cpt("c", "--version")

    def test_errors(self):
        self.assertIn("no such file", self.cpt("c", "nothing.c", status=1).stderr)
        self.cpt(status=2)
        self.cpt("run", status=2)
        self.assertIn("1024", self.cpt("run", "--streams", "0", "./out", status=2).stderr)
        self.cpt("c", "--cc=no-such-compiler", "part.c", status=127)
        (self.at / "wrong.c").write_text(
            "#pragma omp parallel\nint x;\nint main(void) { return 0 }\n"
        )
        self.assertIn("wrong.c:", self.cpt("c", "wrong.c", status=1).stderr)
        (self.at / "plus.cpp").write_text("void f() {\n#pragma omp parallel\n{} }\n")
        self.assertIn("C++", self.cpt("c", "-c", "plus.cpp", status=1).stderr)
        self.assertFalse((self.at / "plus.o").exists())

    def written(self, folder, *command):
        """What a compiler writes in a folder of its own."""
        where = self.at / folder
        (where / "sub").mkdir(parents=True)
        for name in ("sum.c", "part.c", "part.h"):
            shutil.copy(self.at / name, where)
        before = {p for p in where.rglob("*")}
        done = subprocess.run(command, cwd=where, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return sorted(str(p.relative_to(where)) for p in where.rglob("*") if p not in before)

    def test_by_products(self):
        """Dependencies, coverage notes, debugging information of their own, saved steps: under
        gcc's names."""
        for i, options in enumerate(
            (
                "-MD --coverage sum.c part.c",
                "-MD -save-temps sum.c part.c",
                "-MMD -gsplit-dwarf -g -fstack-usage sum.c part.c -o sub/program",
                "-MD --coverage -c part.c -o sub/other.o",
                "-save-temps -c part.c -o sub/other.o",
                "-MD -save-temps=cwd -c part.c -o sub/other.o",
                "-MD -S part.c -o sub/other.s",
                "-MD -MF x.d -gsplit-dwarf -g -c part.c",
            )
        ):
            with self.subTest(options=options):
                self.assertEqual(
                    self.written(f"cpt{i}", CPT, "c", *options.split()),
                    self.written(f"gcc{i}", "gcc", "-fopenmp", *options.split()),
                )
                for rule in (self.at / f"gcc{i}").rglob("*.d"):
                    ours = self.at / f"cpt{i}" / rule.relative_to(self.at / f"gcc{i}")
                    self.assertEqual(ours.read_text().split(":")[0], rule.read_text().split(":")[0])

    def test_coverage(self):
        self.cpt("c", "--coverage", "sum.c", "part.c", "-o", "out")
        self.runs()
        counted = subprocess.run(
            ["gcov", "-t", "out-part.gcda"], cwd=self.at, capture_output=True, text=True
        ).stdout
        self.assertRegex(counted, r"20\*?: +4: +y \+= x")

    def test_versions_of_openmp(self):
        # Clang's option, which gcc does not know. An atomic right in teams is of OpenMP 5.2, and
        # Clang takes it in older versions, too.
        (self.at / "teams.c").write_text(
            """#include <omp.h>
int main(void)
{
    int x = 0, n = 0;
#pragma omp teams num_teams(3)
    {
#pragma omp atomic
        ++x;
        n = omp_get_num_teams();
    }
    return x != n || omp_in_explicit_task();
}
"""
        )
        for version in ((), ("-fopenmp-version=52",)):
            self.cpt("c", *version, "teams.c", "-o", "teams")
            for runtime in ("artel", "tbb"):
                self.cpt("run", "--runtime", runtime, "./teams")

    def test_doacross_clauses(self):
        """Of OpenMP 5.2, which Clang reads when asked to."""
        (self.at / "cross.c").write_text(
            """
enum { rows = 40, columns = 9, planes = 3 };
static long a[rows], b[rows][columns], c[rows][columns][planes];
int main(void)
{
    int wrong = 0;
#pragma omp parallel for ordered(1) schedule(dynamic)
    for (int i = 0; i < rows; i++) {
#pragma omp ordered doacross(sink: omp_cur_iteration - 1)
        a[i] = i > 0 ? a[i - 1] + 1 : 1;
#pragma omp ordered doacross(source: omp_cur_iteration)
    }
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
#pragma omp ordered doacross(sink: i - 1, j) doacross(sink: i, j - 1)
            b[i][j] = i == 0 || j == 0 ? 1 : b[i - 1][j] + b[i][j - 1];
#pragma omp ordered doacross(source:)
        }
#pragma omp parallel for collapse(2) ordered(3) schedule(dynamic)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            for (int k = 0; k < planes; k++) {
#pragma omp ordered doacross(sink: omp_cur_iteration - 1)
                const int at = (i * columns + j) * planes + k;
                (&c[0][0][0])[at] = at > 0 ? (&c[0][0][0])[at - 1] + 1 : 0;
#pragma omp ordered doacross(source:)
            }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            wrong += a[i] != i + 1;
            wrong += b[i][j] != (i == 0 || j == 0 ? 1 : b[i - 1][j] + b[i][j - 1]);
            for (int k = 0; k < planes; k++)
                wrong += c[i][j][k] != (i * columns + j) * planes + k;
        }
    return wrong != 0;
}
"""
        )
        self.cpt("c", "-fopenmp-version=52", "cross.c", "-o", "cross")
        for runtime in ("artel", "tbb"):
            self.cpt("run", "--runtime", runtime, "./cross")

    def test_processor_of_a_function(self):
        (self.at / "wide.c").write_text(
            '#include <immintrin.h>\n#include <stdio.h>\n__attribute__((target("avx2"), noinline))'
            " static void wide(int* a, int n)\n{\n#pragma omp parallel for\nfor (int i = 0; i < n;"
            " i += 8) _mm256_storeu_si256((__m256i*)(a + i),"
            " _mm256_add_epi32(_mm256_loadu_si256((__m256i*)(a + i)),"
            " _mm256_set1_epi32(i)));\n}\nint main(void) { int a[64] = {0}, s = 0; if"
            ' (!__builtin_cpu_supports("avx2")) { puts("90"); return 0; } wide(a, 64);\nfor (int i'
            ' = 0; i < 64; i++) s += a[i]; printf("%d\\n", s == 1792 ? 90 : s); }\n'
        )
        self.cpt("c", "-O1", "wide.c", "-o", "out")
        self.runs()

    def test_compiler_with_another_in_front(self):
        front = self.at / "front"
        front.write_text('#!/bin/sh\necho x >> "$FRONT"\nexec "$@"\n')
        front.chmod(0o755)
        self.cpt(
            "c",
            "--cc=./front gcc",
            "sum.c",
            "part.c",
            "-o",
            "out",
            env={**os.environ, "FRONT": str(self.at / "calls")},
        )
        self.runs()
        self.assertEqual(len((self.at / "calls").read_text().split()), 5)
        self.cpt(
            "c",
            "-c",
            "part.c",
            env={**os.environ, "CPT_CC": "./front gcc", "FRONT": str(self.at / "calls")},
        )
        self.assertIn("names no compiler", self.cpt("c", "--cc=", "part.c", status=2).stderr)

    def test_no_room(self):
        """Files may not become larger than some bytes: an error, and nothing that looks like an
        output."""
        for bytes_ in (100, 20000, 60000):

            def small():
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))

            (self.at / "long.c").write_text(
                PART
                + 'static const char text[] = "'
                + "x" * 50000
                + '";\nconst char* it(void) { return text; }\n'
            )
            done = subprocess.run(
                [CPT, "c", "-c", "long.c"],
                cwd=self.at,
                capture_output=True,
                text=True,
                preexec_fn=small,
                env={**os.environ, "TMPDIR": str(self.at)},
            )
            self.assertNotEqual(done.returncode, 0)
            self.assertNotEqual(done.stderr, "")
            self.assertFalse((self.at / "long.o").exists(), bytes_)
            self.assertEqual([p for p in os.listdir(self.at) if p.startswith("cpt-")], [])
        self.cpt("c", "-c", "part.c", "-o", "/dev/full", status=1)
        self.assertIn(
            "cannot make a folder",
            self.cpt("c", "-c", "part.c", env={**os.environ, "TMPDIR": "/proc"}, status=1).stderr,
        )

    def test_signals(self):
        """The folder with what lies between the compilers is gone, and the compiler with it."""
        compiler = self.at / "slow compiler"
        compiler.write_text(
            "#!/bin/sh\necho $$ > started.part\nmv started.part started\nexec sleep 60\n"
        )
        compiler.chmod(0o755)
        (self.at / "folder").mkdir()
        for number in (signal.SIGINT, signal.SIGTERM):
            ran = subprocess.Popen(
                [CPT, "c", f"--cc={compiler}", "-c", "part.c"],
                cwd=self.at,
                env={**os.environ, "TMPDIR": str(self.at / "folder")},
            )
            started = self.at / "started"
            while not started.exists() and ran.poll() is None:
                time.sleep(0.01)
            self.assertEqual(len(os.listdir(self.at / "folder")), 1)
            ran.send_signal(number)
            self.assertEqual(ran.wait(timeout=30), -number)
            self.assertEqual(os.listdir(self.at / "folder"), [])
            with self.assertRaises(ProcessLookupError):
                os.kill(int(started.read_text()), 0)
            started.unlink()

    def test_static(self):
        self.assertIn(
            "-static is not supported", self.cpt("c", "-static", "sum.c", "part.c", status=2).stderr
        )
        self.cpt("c", "-static", "-c", "part.c")
        self.cpt("c", "-static-libgcc", "sum.c", "part.c", "-o", "out")
        self.runs()

    def test_help(self):
        for arguments in (["--help"], ["c", "--help"], ["run", "--help"]):
            text = self.cpt(*arguments).stdout
            for word in ("cpt c", "cpt show", "cpt run", "--keep", "CP_NUM_STREAMS", "Exit status"):
                self.assertIn(word, text)

    def test_settings(self):
        table = self.cpt("run", "--streams", "3", "--bind", "--info").stdout
        self.assertRegex(table, r"CP_NUM_STREAMS +--streams N +3 ")
        self.assertRegex(table, r"CP_STREAM_BIND +--bind +1 ")
        for name, wrong, allowed in (
            ("--numas", "x", "0,2-3"),
            ("--numas", "0,1023", "that are there"),
            ("--partitioner", "2", "affinity"),
            ("--stack-size", "7", "16k"),
            ("--runtime", "none", "artel"),
        ):
            self.assertIn(allowed, self.cpt("run", name, wrong, "./out", status=2).stderr)
        self.assertIn(
            "0 or 1",
            self.cpt("run", "./out", status=2, env={**os.environ, "CP_STREAM_BIND": "2"}).stderr,
        )
        self.cpt("run", "--streams", status=2)
        self.cpt("run", "./nothing", status=127)
        (self.at / "what.c").write_text(
            "#include <omp.h>\n#include <stdio.h>\nint main(void)\n{\n    int k;\n    omp_sched_t"
            ' s;\n    omp_get_schedule(&s, &k);\n    printf("%d %d\\n", omp_get_max_threads(),'
            " (int)s & 7);\n    return 5;\n}\n"
        )
        self.cpt("c", "what.c", "-o", "what")
        done = subprocess.run(
            [CPT, "run", "--streams", "3", "--partitioner", "3", "--", "what"],
            capture_output=True,
            text=True,
            cwd=self.at,
            timeout=60,
        )
        self.assertEqual((done.returncode, done.stdout), (5, "3 1\n"), done.stderr)

    def test_standard_input_and_preprocessed(self):
        self.cpt("c", "-c", "-x", "c", "-", "-o", "sum.o", input=SUM)
        (self.at / "part.i").write_text(self.cpt("c", "-E", "part.c").stdout)
        self.cpt("c", "sum.o", "part.i", "-o", "out")
        self.runs()
        self.assertIn(
            "__cp_parallel",
            subprocess.run(
                ["nm", "-u", "sum.o"], capture_output=True, text=True, cwd=self.at
            ).stdout,
        )

    def test_arguments_in_a_file(self):
        (self.at / "arguments").write_text("-O1 'sum.c'\n\"part.c\" -o other\\ name\n")
        self.cpt("c", "@arguments")
        self.runs("./other name")

    def test_configure(self):
        """What a configure script tries: a program that links, one that does not compile, a header
        that is missing."""
        (self.at / "ok.c").write_text("int main(void) { return 0; }\n")
        (self.at / "bad.c").write_text("#include <no_such_header.h>\nint main(void) { return 0 }\n")
        self.cpt("c", "-g", "-O2", "-fopenmp", "-o", "conftest", "ok.c", "-lm")
        subprocess.run([str(self.at / "conftest")], check=True)
        self.cpt("c", "-c", "bad.c", status=1)
        self.cpt("c", "-E", "bad.c", status=1)
        self.assertFalse((self.at / "bad.o").exists())

    def test_run(self):
        self.cpt("c", "sum.c", "part.c", "-o", "out")
        self.assertEqual(self.cpt("run", "--streams", "2", "out").stdout, "90\n")

    def test_bench(self):
        small = [
            "bench",
            "zones",
            "--threads",
            "1",
            "--scale",
            "4",
            "--steps",
            "1",
            "--rounds",
            "1",
        ]
        self.cpt(
            *small,
            "--runtimes",
            "artel",
            "--output",
            "here",
            env={**os.environ, "OMP_WAIT_POLICY": "passive"},
        )
        result = json.loads((self.at / "here/results.json").read_text())
        self.assertEqual(set(result["zones"]), {"sp", "lu", "bt"})
        self.assertEqual(set(result["zones"]["bt"]["seconds"]), {"gcc", "artel"})
        self.assertEqual((self.at / "here/index.html").read_text().count("is the fastest here"), 3)
        self.assertIn("there is no experiment 'none'", self.cpt("bench", "none", status=2).stderr)
        self.assertIn(
            "exit status",
            self.cpt(*small, "--runtimes", "none", "--output", "there", status=1).stderr,
        )

    def test_cmake(self):
        if shutil.which("cmake") is None:
            self.skipTest("no cmake")
        (self.at / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(p C)\nadd_executable(out sum.c part.c)\n"
        )
        done = subprocess.run(
            ["cmake", "-S", ".", "-B", "b", f"-DCMAKE_C_COMPILER={CPT};c"],
            cwd=self.at,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run(["cmake", "--build", "b"], cwd=self.at, check=True, capture_output=True)
        self.runs("b/out")


if __name__ == "__main__":
    CPT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
