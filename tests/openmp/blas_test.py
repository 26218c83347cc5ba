#!/usr/bin/env python3
"""OpenBLAS called inside of regions, from several threads at once, and in children of forks.
blas_test.py LIBRARY PROGRAM (blas_gangs)"""
import glob
import os
import re
import subprocess
import sys
import unittest

OPENBLAS = glob.glob("/usr/lib/*/openblas-openmp/libopenblas.so.0")
INSIDE = ("first", "last", "all", "levels", "thin", "tasks", "nested", "leagues")


class Blas(unittest.TestCase):
    def run_case(self, case, *more, **variables):
        """How many calls there were, how many of them by all threads, and what went to stderr.
        Fails unless all results were right and the program was told the truth about itself."""
        environment = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("OMP_", "GOMP_", "LD_", "ARTEL_", "OPENBLAS_"))
        }
        environment.update(LD_PRELOAD=LIBRARY, ARTEL_NUM_THREADS="2", OMP_NUM_THREADS="2")
        environment.update(variables)
        done = subprocess.run(
            [PROGRAM, *OPENBLAS[:1], case, *more],
            env=environment,
            capture_output=True,
            text=True,
            timeout=200,
        )
        self.assertEqual(done.returncode, 0, (case, variables, done.stdout, done.stderr))
        if case == "exit":
            return self.assertEqual(done.stdout, "ends\n")
        calls, gangs, wrong, misled = map(int, re.findall(r"\d+", done.stdout))
        self.assertGreater(calls, 0)
        self.assertEqual((wrong, misled), (0, 0))
        return calls, gangs, done.stderr

    def test_one_thread_inside_unless_asked(self):
        for case in INSIDE:
            with self.subTest(case=case):
                self.assertEqual(self.run_case(case)[1], 0)

    def test_idle_workers_take_part_when_asked(self):
        for case in ("first", "last", "levels", "thin"):
            with self.subTest(case=case):
                calls, gangs, _ = self.run_case(case, ARTEL_BLAS_GANGS="on")
                self.assertGreater(gangs, calls // 2)

    def test_results_are_right_wherever_calls_come_from(self):
        for case in INSIDE:
            for threads in ("2", "3", "4"):
                for variables in (
                    {},
                    {"ARTEL_NUM_THREADS": "4"},
                    {"OMP_PROC_BIND": "close"},
                    {"ARTEL_WAIT": "passive"},
                    {"ARTEL_WAIT": "active"},
                ):
                    with self.subTest(case=case, threads=threads, **variables):
                        self.run_case(
                            case, ARTEL_BLAS_GANGS="on", **{"OMP_NUM_THREADS": threads, **variables}
                        )

    def test_no_gang_under_a_limit_of_threads(self):
        self.assertEqual(self.run_case("first", ARTEL_BLAS_GANGS="on", OMP_THREAD_LIMIT="8")[1], 0)

    def test_no_gang_without_turns(self):
        """Where OpenBLAS calls its own exec_blas, its first region shows that."""
        calls, gangs, _ = self.run_case("first", "deep", ARTEL_BLAS_GANGS="on")
        self.assertLessEqual(gangs, 1)

    def test_who_waits_for_a_turn_sleeps(self):
        for wanted in ("off", "on"):
            with self.subTest(gangs=wanted):
                # Of CPU time; 1.5 to 1.9 where they sleep, 9 where they spin, each of them in
                # OpenBLAS's own loop. What else runs on the machine can only add to it.
                said = (self.run_case("everywhere", ARTEL_BLAS_GANGS=wanted)[2] for _ in range(5))
                times = (
                    float(re.search(r"times the work of the calls alone: ([0-9.]+)", line)[1])
                    for line in said
                )
                self.assertTrue(any(time < 4 for time in times))

    def test_children_of_forks(self):
        for case in ("fork_inside", "fork_outside"):
            for wanted in ("off", "on"):
                with self.subTest(case=case, gangs=wanted):
                    self.run_case(case, ARTEL_BLAS_GANGS=wanted)

    def test_the_end_of_the_process(self):
        for _ in range(10):
            self.run_case("exit", ARTEL_BLAS_GANGS="on")


if __name__ == "__main__":
    LIBRARY, PROGRAM = sys.argv.pop(1), sys.argv.pop(1)
    if not OPENBLAS:
        print("libopenblas0-openmp is missing: packaging/install-deps programs")
        sys.exit(77)
    unittest.main(verbosity=2)
