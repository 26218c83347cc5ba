#!/usr/bin/env python3
"""The driver in place of a compiler: options, several files, objects, libraries, dependency files,
names with blanks, plain make, messages and exit statuses."""
import os
import pathlib
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
        done = subprocess.run([CPT, *arguments], capture_output=True, text=True, cwd=self.at,
                              **more)
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
        self.assertEqual(self.cpt("c", "-dumpmachine").stdout,
                         subprocess.run(["gcc", "-dumpmachine"], capture_output=True,
                                        text=True).stdout)
        self.cpt("c", "--version")

    def test_errors(self):
        self.assertIn("no such file", self.cpt("c", "nothing.c", status=1).stderr)
        self.cpt(status=2)
        self.cpt("run", status=2)
        self.assertIn("1024", self.cpt("run", "--streams", "0", "./out", status=2).stderr)
        self.cpt("c", "--cc=no-such-compiler", "part.c", status=127)
        (self.at / "wrong.c").write_text("#pragma omp parallel\nint x;\nint main(void) { return 0 }\n")
        self.assertIn("wrong.c:", self.cpt("c", "wrong.c", status=1).stderr)
        (self.at / "plus.cpp").write_text("void f() {\n#pragma omp parallel\n{} }\n")
        self.assertIn("C++", self.cpt("c", "-c", "plus.cpp", status=1).stderr)
        self.assertFalse((self.at / "plus.o").exists())

    def test_signals(self):
        """The folder with what lies between the compilers is gone, and the compiler with it."""
        compiler = self.at / "slow compiler"
        compiler.write_text("#!/bin/sh\necho $$ > started.part\nmv started.part started\nexec sleep 60\n")
        compiler.chmod(0o755)
        (self.at / "folder").mkdir()
        for number in (signal.SIGINT, signal.SIGTERM):
            ran = subprocess.Popen([CPT, "c", f"--cc={compiler}", "-c", "part.c"], cwd=self.at,
                                   env={**os.environ, "TMPDIR": str(self.at / "folder")})
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
        self.assertIn("-static is not supported",
                      self.cpt("c", "-static", "sum.c", "part.c", status=2).stderr)
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
        for name, wrong, allowed in (("--numas", "x", "0,2-3"),
                                     ("--numas", "0,1023", "that are there"),
                                     ("--partitioner", "2", "affinity"),
                                     ("--stack-size", "7", "16k"), ("--runtime", "none", "artel")):
            self.assertIn(allowed, self.cpt("run", name, wrong, "./out", status=2).stderr)
        self.assertIn("0 or 1",
                      self.cpt("run", "./out", status=2,
                               env={**os.environ, "CP_STREAM_BIND": "2"}).stderr)
        self.cpt("run", "--streams", status=2)
        self.cpt("run", "./nothing", status=127)
        (self.at / "what.c").write_text("#include <omp.h>\n#include <stdio.h>\nint main(void)\n{\n    int k;\n    omp_sched_t s;\n    omp_get_schedule(&s, &k);\n"
                                        "    printf(\"%d %d\\n\", omp_get_max_threads(), (int)s & 7);\n    return 5;\n}\n")
        self.cpt("c", "what.c", "-o", "what")
        done = subprocess.run([CPT, "run", "--streams", "3", "--partitioner", "3", "--", "what"],
                              capture_output=True, text=True, cwd=self.at, timeout=60)
        self.assertEqual((done.returncode, done.stdout), (5, "3 1\n"), done.stderr)

    def test_standard_input_and_preprocessed(self):
        self.cpt("c", "-c", "-x", "c", "-", "-o", "sum.o", input=SUM)
        (self.at / "part.i").write_text(self.cpt("c", "-E", "part.c").stdout)
        self.cpt("c", "sum.o", "part.i", "-o", "out")
        self.runs()
        self.assertIn("__cp_parallel",
                      subprocess.run(["nm", "-u", "sum.o"], capture_output=True, text=True,
                                     cwd=self.at).stdout)

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

    def test_cmake(self):
        if shutil.which("cmake") is None:
            self.skipTest("no cmake")
        (self.at / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(p C)\nadd_executable(out sum.c part.c)\n")
        done = subprocess.run(["cmake", "-S", ".", "-B", "b", f"-DCMAKE_C_COMPILER={CPT};c"],
                              cwd=self.at, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run(["cmake", "--build", "b"], cwd=self.at, check=True, capture_output=True)
        self.runs("b/out")


if __name__ == "__main__":
    CPT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
