#!/usr/bin/env python3
"""The driver as make, CMake and configure scripts call it, and what it leaves when it cannot go
on."""
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

from driver_case import CPT, PART, DriverCase

# twice is called in a loop, later is declared in a block, and the body of third has a region and a
# type, which are moved in front of it.
VARIANTS = """#include <stdio.h>
#pragma omp declare simd notinbranch
#pragma omp declare simd inbranch
static __attribute__((noinline)) int twice(int x) { return 2 * x; }
#pragma omp declare simd linear(i : 1) uniform(p)
int third(int* p, int i)
{
    struct two { int x; } a = {0};
#pragma omp parallel for if(0)
    for (int k = 0; k < 1; k++) a.x += p[i];
    return a.x;
}
int main(void)
{
#pragma omp declare simd notinbranch
    int later(int);
    int s = 0, v[10];
#pragma omp parallel for simd
    for (int i = 0; i < 10; i++) v[i] = twice(i) + later(0);
    for (int i = 0; i < 10; i++) s += third(v, i);
    printf("%d\\n", s);
    return s != 90;
}
int later(int x) { return x; }
"""


class Builds(DriverCase):
    def test_make(self):
        (self.at / "Makefile").write_text("out: sum.o part.o\n\t$(CC) $^ -o $@\n")
        subprocess.run(["make", "-s", f"CC={CPT} c"], cwd=self.at, check=True)
        self.runs()

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

    def test_queries_of_the_compiler(self):
        self.assertEqual(
            self.cpt("c", "-dumpmachine").stdout,
            subprocess.run(["gcc", "-dumpmachine"], capture_output=True, text=True).stdout,
        )
        self.cpt("c", "--version")

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


class Translations(DriverCase):
    def test_variants_are_the_compilers(self):
        """declare simd: the same names as gcc gives, and loops that call them."""
        (self.at / "variants.c").write_text(VARIANTS)
        self.cpt("c", "-O2", "-S", "variants.c", "-o", "ours.s")
        subprocess.run(
            ["gcc", "-fopenmp", "-O2", "-S", "variants.c", "-o", "stock.s"], cwd=self.at, check=True
        )
        names = re.compile(r"^(_ZGV\w+):$", re.M)
        ours = (self.at / "ours.s").read_text()
        found = sorted(names.findall(ours))
        self.assertEqual(found, sorted(names.findall((self.at / "stock.s").read_text())))
        self.assertIn("_ZGVbN4v_later", found)
        self.assertRegex(ours, r"call\s+_ZGVbN4v_twice")
        self.cpt("c", "-O2", "variants.c", "-o", "out")
        self.runs()

    def test_time_grows_with_the_length(self):
        """One function of 20 000 lines: half a second, where each directive used to be compared
        with each."""
        lines = ["int f(int n, int* a) { int s = 0, t = n, k = 3;"]
        for i in range(2000):
            lines += [
                "#pragma omp parallel for reduction(+ : s)",
                "for (int i = 0; i < n; i++)",
                "    s += a[i] * t + k;",
                "t = t + 1;",
                "#pragma omp parallel num_threads(k)",
                "{",
                "#pragma omp task shared(a)",
                f"    a[0] += t + {i};",
                "}",
                "",
            ]
        (self.at / "long.c").write_text("\n".join([*lines, "return s; }", ""]))
        self.cpt(
            "show", "long.c", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
        )


class Failures(DriverCase):
    def test_errors(self):
        self.assertIn("no such file", self.cpt("c", "nothing.c", status=1).stderr)
        self.assertIn("no command; there are c, show", self.cpt(status=2).stderr)
        self.assertEqual(
            self.cpt("--version", status=2).stderr,
            "cpt: error: there is no command '--version'; there are c, show, run and bench (see cpt"
            " --help)\n",
        )
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

    def test_output_that_cannot_be_written(self):
        for words in (["--help"], ["c", "--help"], ["run", "--info"], ["show", "part.c"]):
            with self.subTest(words), open("/dev/full", "w") as full:
                done = subprocess.run(
                    [CPT, *words], stdout=full, stderr=subprocess.PIPE, text=True, cwd=self.at
                )
                self.assertEqual(
                    (done.returncode, done.stderr),
                    (1, "cpt: error: cannot write the output: No space left on device\n"),
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


if __name__ == "__main__":
    unittest.main()
