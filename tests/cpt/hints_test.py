#!/usr/bin/env python3
"""Bounds, zones and profiles: `#pragma cp`, its C interface, the variables, `cpt run --profile` and
`cpt c --use-profile`, on each runtime that is installed; and what is said about wrong ones."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CPT = ""
RUNTIMES = []
SIZES = """#include <omp.h>
#include <stdio.h>
static int size(void)
{
    int n = 0;
#pragma omp parallel
#pragma omp single
    n = omp_get_num_threads();
    return n;
}
"""
HINTED = (
    SIZES
    + """
int main(void)
{
    int all[4] = {0};
#pragma cp max_threads(2)
#pragma omp parallel
    all[0] = omp_get_num_threads();
#pragma cp min_threads(7)
#pragma omp parallel
    all[1] = omp_get_num_threads();
#pragma cp max_threads(2)
#pragma omp parallel num_threads(5)
    all[2] = omp_get_num_threads();
    all[3] = size();
    printf("%d %d %d %d\\n", all[0], all[1], all[2], all[3]);
    return 0;
}
"""
)
ZONES = (
    SIZES
    + """
#include <errno.h>
#ifdef __CPT__
#include <cp.h>
#endif
/* How many members are in a region at once. */
static int at_once(void)
{
    int now = 0, most = 0;
#pragma omp parallel num_threads(8)
    for (int i = 0; i < 2000; i++) {
        int mine;
#pragma omp atomic capture
        mine = ++now;
#pragma omp atomic compare
        most = most < mine ? mine : most;
        for (volatile int k = 0; k < 300; k++) {
        }
#pragma omp atomic
        now--;
    }
    return most;
}
int main(void)
{
    int wrong = 0;
    unsigned least = 9, most = 9;
    wrong |= cp_zone_end() != -1;
    wrong |= (cp_zone_begin(2000, NULL) != -1 || errno != EINVAL) << 1;
    wrong |= (cp_zone_begin(1, "0,,") != -1 || errno != EINVAL) << 2;
    wrong |= (cp_zone_begin(1, "0,4000") != -1 || errno != ENODEV) << 3;
    wrong |= (cp_zone_begin(2, NULL) != 0) << 4;
    wrong |= (at_once() > 2) << 5;
    wrong |= (cp_zone_begin(1, NULL) != 0) << 6;
    int inner = 0;
#pragma omp parallel num_threads(3) reduction(max : inner)
    inner = at_once(), cp_zone_end();
    wrong |= (inner > 1) << 7;
    wrong |= (cp_zone_end() != 0 || cp_zone_end() != 0 || cp_zone_end() != -1) << 8;
    wrong |= (cp_set_bounds(3, 2) != -1 || errno != EINVAL) << 9;
    wrong |= (cp_set_bounds(0, 3) != 0 || size() != 3) << 10;
    wrong |= (cp_set_bounds(6, 0) != 0 || size() != 6) << 11;
    cp_get_bounds(&least, &most);
    wrong |= (least != 6 || most != 0) << 12;
    cp_set_bounds(0, 0);
    wrong |= (size() != 4) << 13;
    printf("%x %s\\n", wrong, cp_runtime_name());
    return 0;
}
"""
)
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
WRONG = (  # line, what has to be said
    (
        "#pragma cp threads(2)\n#pragma omp parallel\n;",
        "1:12: error: cpt: '#pragma cp' has no clause 'threads'",
    ),
    (
        "  #pragma cp max_threads(0)\n#pragma omp parallel\n;",
        "1:14: error: cpt: max_threads(0): it is a number from 1 to 65536",
    ),
    (
        "#pragma cp max_threads\n#pragma omp parallel\n;",
        "'max_threads' wants a value in parentheses",
    ),
    (
        "#pragma cp max_threads(2) max_threads(3)\n#pragma omp parallel\n;",
        "1:27: error: cpt: 'max_threads' is said twice",
    ),
    (
        "#pragma cp min_threads(4) max_threads(3)\n#pragma omp parallel\n;",
        "min_threads is above max_threads",
    ),
    ("#pragma cp max_threads(UNKNOWN)\n#pragma omp parallel\n;", "'UNKNOWN' is not declared"),
    (
        "#pragma cp partitioner(round)\n#pragma omp parallel for\nfor (int i = 0; i < 3; i++);",
        "it is auto, simple, affinity or static",
    ),
    (
        (
            "#pragma cp partitioner(simple)\n#pragma omp parallel for schedule(guided)\nfor (int i"
            " = 0; i < 3; i++);"
        ),
        "the loop has a schedule of its own",
    ),
    (
        "#pragma cp partitioner(simple)\n#pragma omp parallel\n;",
        "'partitioner' belongs before a construct with 'for'",
    ),
    (
        (
            "#pragma omp parallel\n{\n#pragma cp streams(2)\n#pragma omp for\nfor (int i = 0; i <"
            " 3; i++);\n}"
        ),
        "3:12: error: cpt: 'streams' belongs before a construct with 'parallel'",
    ),
    ("#pragma cp numas(a)\n#pragma omp parallel\n;", "it is a list of nodes such as 0,2-3"),
    ("#pragma cp\n#pragma omp parallel\n;", "'#pragma cp' says nothing"),
    (
        "#pragma cp streams(2)\nint x = 0; (void)x;\n#pragma omp parallel\n;",
        "1:2: error: cpt: '#pragma cp' belongs directly before",
    ),
    ("#pragma cp streams(2)\n", "belongs directly before"),
)


class Hints(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="cpt-hints-")
        self.at = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def cpt(self, *arguments, status=0, **variables):
        done = subprocess.run(
            [CPT, *arguments],
            capture_output=True,
            text=True,
            cwd=self.at,
            timeout=120,
            env={**os.environ, "OMP_NUM_THREADS": "4", **variables},
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def program(self, text, *options):
        (self.at / "program.c").write_text(text)
        self.cpt("c", "-O1", *options, "program.c", "-o", "program")

    def test_pragma(self):
        self.program(HINTED)
        for runtime in RUNTIMES:
            self.assertEqual(
                self.cpt("run", "--runtime", runtime, "program").stdout, "2 7 2 4\n", runtime
            )

    def test_variables(self):
        self.program(HINTED)
        for runtime in RUNTIMES:
            self.assertEqual(
                self.cpt("run", "--runtime", runtime, "--max-threads", "3", "program").stdout,
                "2 7 2 3\n",
                runtime,
            )
            self.assertEqual(
                self.cpt("run", "--runtime", runtime, "--min-threads", "6", "program").stdout,
                "2 7 2 6\n",
                runtime,
            )
            # Without cpt run, too.
            path = {
                "LD_LIBRARY_PATH": str(
                    pathlib.Path(CPT).parent.parent / "lib" / "cpt" / "start" / runtime
                )
            }
            wrong = subprocess.run(
                [self.at / "program"],
                capture_output=True,
                text=True,
                env={**os.environ, **path, "CP_MAX_THREADS": "x"},
            )
            self.assertEqual(wrong.returncode, 1)
            self.assertIn("CP_MAX_THREADS is 'x'; allowed: a number from 1 to 65536", wrong.stderr)
        said = self.cpt("run", "--min-threads", "6", "--max-threads", "3", "program", status=2)
        self.assertIn(
            "CP_MAX_THREADS is '3'; allowed: a number from 1 to 65536, not below CP_MIN_THREADS",
            said.stderr,
        )

    def test_zones(self):
        self.program(ZONES)
        for runtime in RUNTIMES:
            self.assertEqual(
                self.cpt("run", "--runtime", runtime, "--streams", "4", "program").stdout,
                f"0 {runtime}\n",
            )

    def test_nodes(self):
        self.program(
            '#pragma GCC diagnostic ignored "-Wunknown-pragmas"\n'
            + SIZES.replace("#pragma omp parallel\n", "#pragma cp numas(0)\n#pragma omp parallel\n")
            + 'int main(void) { printf("%d %d\\n", size(), size()); return 0; }'
        )
        for runtime in RUNTIMES:
            for placed in ([], ["--numas", "0"]):
                done = self.cpt("run", "--runtime", runtime, *placed, "program")
                self.assertEqual(done.stdout, "4 4\n")
                if runtime == "tbb" and placed:
                    self.assertEqual(done.stderr, "")
                else:  # once
                    self.assertEqual(
                        done.stderr.count(f"no effect on the runtime {runtime}"), 1, done.stderr
                    )

    def test_errors(self):
        for text, said in WRONG:
            with self.subTest(said):
                (self.at / "wrong.c").write_text("int main(void) {\n" + text + "\nreturn 0; }\n")
                # One line further down than in the text.
                said = re.sub(
                    r"^(\d+)(:\d+: error)", lambda m: f"wrong.c:{int(m[1]) + 1}{m[2]}", said
                )
                done = self.cpt("c", "wrong.c", "-o", "wrong", status=1)
                self.assertIn(said, done.stderr)
                self.assertRegex(done.stderr, r"\n +#pragma cp.*\n +\^\n")
                self.assertFalse((self.at / "wrong").exists())

    def test_profile(self):
        self.program(PROFILED)
        wanted = self.cpt("run", "program").stdout
        for runtime in RUNTIMES:
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
    CPT = os.path.abspath(sys.argv.pop(1))
    RUNTIMES = re.search(
        r"installed: ([a-z, ]+)",
        subprocess.run([CPT, "run", "--info"], capture_output=True, text=True).stdout,
    )[1].split(", ")
    unittest.main()
