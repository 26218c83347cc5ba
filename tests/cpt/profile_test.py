#!/usr/bin/env python3
"""`cpt run --profile` and `cpt c --use-profile` on each runtime that is installed, and what is said
about wrong profiles."""
import unittest

from hints_case import HintsCase

PROFILED = """#include <stdio.h>
static double work(int n)
{
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += 1.0 / (1 + i % 7);
    return s;
}
int main(void)
{
    double s = 0, t = 0;
    for (int k = 0; k < 50; k++) {
#pragma omp parallel for reduction(+ : t)
        for (int i = 0; i < 4; i++)
            t += i;
    }
    for (int k = 0; k < 3; k++)
        s += work(3000000);
    printf("%.3f %.0f\\n", s, t);
    return 0;
}
"""


class Profile(HintsCase):
    def test_profile(self):
        self.program(PROFILED)
        wanted = self.cpt("run", "program").stdout
        for runtime in self.runtimes:
            self.assertEqual(
                self.cpt("run", "--runtime", runtime, "--profile", "profile", "program").stdout,
                wanted,
            )
            lines = [
                line.split("\t")
                for line in (self.at / "profile").read_text().splitlines()
                if line[0] != "#"
            ]
            calls = {place: (int(n), int(members)) for place, n, _, _, members in lines}
            self.assertEqual(calls, {"program.c:5": (3, 4), "program.c:14": (50, 4)})
            self.assertGreaterEqual(float(lines[0][2]), float(lines[1][2]), "the longest first")
            self.assertGreater(float(lines[1][3]), 0)
        # The short loop gets fewer threads than the long one; a hint in the source comes first.
        (self.at / "profile").write_text(
            "# cpt profile 1\nprogram.c:5\t3\t0.3\t1.2\t4\nprogram.c:14\t50\t0.001\t0.001\t4\n"
        )
        self.program(PROFILED, "--use-profile", "profile")
        self.cpt("run", "--profile", "again", "program")
        self.assertRegex((self.at / "again").read_text(), r"program.c:14\t50\t.*\t1\n")
        self.assertRegex((self.at / "again").read_text(), r"program.c:5\t3\t.*\t4\n")
        self.program(
            PROFILED.replace(
                "{\n#pragma omp parallel for reduction(+ : t)",
                '{ _Pragma("cp max_threads(3)")\n#pragma omp parallel for reduction(+ : t)',
            ),
            "--use-profile=profile",
        )
        self.cpt("run", "--profile", "again", "program")
        self.assertRegex((self.at / "again").read_text(), r"program.c:14\t50\t.*\t3\n")

    def test_wrong_profiles(self):
        (self.at / "program.c").write_text(PROFILED)
        self.assertIn(
            "cannot read the profile 'none'",
            self.cpt("c", "--use-profile", "none", "program.c", status=2).stderr,
        )
        (self.at / "bad").write_text("hello\n")
        self.assertIn(
            "'bad' is no profile",
            self.cpt("c", "--use-profile", "bad", "program.c", status=1).stderr,
        )
        (self.at / "bad").write_text("# cpt profile 1\nx.c:5\tmany\n")
        self.assertIn(
            "'bad', line 2: no line of a profile",
            self.cpt("c", "--use-profile", "bad", "program.c", status=1).stderr,
        )
        self.program(PROFILED)
        self.assertIn(
            "CP_PROFILE is 'none/profile'; allowed: a file that can be written",
            self.cpt("run", "--profile", "none/profile", "program", status=2).stderr,
        )
        self.assertIn("cpt profile 1", self.cpt("run", "--profile", "-", "program").stderr)


if __name__ == "__main__":
    unittest.main()
