#!/usr/bin/env python3
"""Bounds and zones: `#pragma cp`, its C interface and the variables, on each runtime that is
installed; and what is said about wrong ones."""
import os
import pathlib
import re
import subprocess
import unittest

from hints_case import CPT, HintsCase

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


class Hints(HintsCase):
    def test_pragma(self):
        self.program(HINTED)
        for runtime in self.runtimes:
            self.assertEqual(
                self.cpt("run", "--runtime", runtime, "program").stdout, "2 7 2 4\n", runtime
            )

    def test_variables(self):
        self.program(HINTED)
        for runtime in self.runtimes:
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
        for runtime in self.runtimes:
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
        for runtime in self.runtimes:
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


if __name__ == "__main__":
    unittest.main()
