#!/usr/bin/env python3
"""The driver in place of a compiler: options, several files, objects, libraries, dependency files, names with blanks, plain make, messages and exit statuses."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
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
        done = subprocess.run([CPT, *arguments], capture_output=True, text=True, cwd=self.at, **more)
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
        self.assertIn("cp_parallel", (self.at / "part.s").read_text())
        self.assertIn("#pragma omp", self.cpt("c", "-E", "part.c").stdout)

    def test_show(self):
        self.assertIn("cp_parallel(", self.cpt("show", "part.c").stdout)

    def test_make(self):
        (self.at / "Makefile").write_text("out: sum.o part.o\n\t$(CC) $^ -o $@\n")
        subprocess.run(["make", "-s", f"CC={CPT} c"], cwd=self.at, check=True)
        self.runs()

    def test_queries_of_the_compiler(self):
        self.assertEqual(self.cpt("c", "-dumpmachine").stdout, subprocess.run(["gcc", "-dumpmachine"], capture_output=True, text=True).stdout)
        self.cpt("c", "--version")

    def test_errors(self):
        self.assertIn("no such file", self.cpt("c", "nothing.c", status=1).stderr)
        self.cpt(status=2)
        self.cpt("run", status=2)
        self.assertIn("4096", self.cpt("run", "--streams", "0", "./out", status=2).stderr)
        self.cpt("c", "--cc=no-such-compiler", "part.c", status=127)
        (self.at / "wrong.c").write_text("#pragma omp parallel\nint x;\nint main(void) { return 0 }\n")
        self.assertIn("wrong.c:", self.cpt("c", "wrong.c", status=1).stderr)
        (self.at / "plus.cpp").write_text("void f() {\n#pragma omp parallel\n{} }\n")
        self.assertIn("C++", self.cpt("c", "-c", "plus.cpp", status=1).stderr)
        self.assertFalse((self.at / "plus.o").exists())

    def test_run(self):
        self.cpt("c", "sum.c", "part.c", "-o", "out")
        self.assertEqual(self.cpt("run", "--streams", "2", "out").stdout, "90\n")

    def test_cmake(self):
        if shutil.which("cmake") is None:
            self.skipTest("no cmake")
        (self.at / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(p C)\nadd_executable(out sum.c part.c)\n")
        done = subprocess.run(["cmake", "-S", ".", "-B", "b", f"-DCMAKE_C_COMPILER={CPT};c"], cwd=self.at, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        subprocess.run(["cmake", "--build", "b"], cwd=self.at, check=True, capture_output=True)
        self.runs("b/out")


if __name__ == "__main__":
    CPT = os.path.abspath(sys.argv.pop(1))
    unittest.main()
