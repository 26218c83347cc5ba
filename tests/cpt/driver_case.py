"""What the tests of the driver share: a folder with blanks in its name and a program of two files
in it. CPT_TOOL: the driver."""
import os
import pathlib
import subprocess
import tempfile
import unittest

CPT = os.path.abspath(os.environ.get("CPT_TOOL", "cpt"))
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


class DriverCase(unittest.TestCase):
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
