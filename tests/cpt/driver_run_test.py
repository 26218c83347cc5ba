#!/usr/bin/env python3
"""`cpt run` with its settings, `cpt bench`, and programs that need options of the language or of
the processor."""
import json
import os
import pathlib
import re
import subprocess
import unittest

from driver_case import CPT, DriverCase

DOCUMENTS = pathlib.Path(__file__).resolve().parents[2] / "docs"


class Running(DriverCase):
    def test_run(self):
        self.cpt("c", "sum.c", "part.c", "-o", "out")
        self.assertEqual(self.cpt("run", "--streams", "2", "out").stdout, "90\n")

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
        self.assertIn(
            "'--streams' is given twice",
            self.cpt("run", "--streams", "2", "--streams", "3", "./out", status=2).stderr,
        )
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

    def test_help(self):
        for arguments in (["--help"], ["c", "--help"], ["run", "--help"]):
            text = self.cpt(*arguments).stdout
            for word in ("cpt c", "cpt show", "cpt run", "--keep", "CP_NUM_STREAMS", "Exit status"):
                self.assertIn(word, text)

    def test_documents_name_what_the_help_names(self):
        """And nothing else of cpt's own."""
        words = re.compile(r"(?<![\w-])(--[a-z][a-z-]*|CP_[A-Z_]+|CPT_CC)")
        told = set(words.findall(self.cpt("--help").stdout))
        settings = set(words.findall(self.cpt("run", "--info").stdout))
        self.assertLessEqual(settings, told)
        page = (DOCUMENTS / "man/cpt.1").read_text().replace("\\-", "-")
        self.assertEqual(
            set(words.findall(re.sub(r"\\f.", "", page))) - {"--help"}, told - {"--help"}
        )
        guide = (DOCUMENTS / "guide/cpt.md").read_text()
        self.assertEqual(settings - set(words.findall(guide)), set())
        self.assertEqual(set(words.findall(guide)) - told - {"--preset", "--build"}, set())

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
            "--out",
            "here",
            env={**os.environ, "OMP_WAIT_POLICY": "passive"},
        )
        result = json.loads((self.at / "here/results.json").read_text())
        self.assertEqual(set(result["zones"]), {"sp", "lu", "bt"})
        self.assertEqual(set(result["zones"]["bt"]["seconds"]), {"gcc", "artel"})
        self.assertEqual((self.at / "here/index.html").read_text().count("is the fastest here"), 3)
        self.assertIn("there is no experiment 'none'", self.cpt("bench", "none", status=2).stderr)
        self.assertIn(
            "exit status", self.cpt(*small, "--runtimes", "none", "--out", "there", status=1).stderr
        )


class Language(DriverCase):
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


if __name__ == "__main__":
    unittest.main()
