"""Wheels of PyPI, which bring renamed copies of libgomp, compute the same under `artel run` as
without.

usage: pypi_test.py ARTEL_TOOL FOLDER [TEST_NAME...]

The first run makes a virtual environment in FOLDER and installs the wheels there (some 800 MB with
the dependencies); without a network all is skipped. torch is left out: its wheel for Linux brings
gigabytes for other processors."""

import os
import subprocess
import sys
import unittest

from support import Program, main

WHEELS = ["scikit-learn", "lightgbm", "xgboost", "faiss-cpu", "threadpoolctl", "numba"]
CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pypi_cases.py")
SAME = [
    "neighbours_brute",
    "neighbours_kd_tree",
    "histogram_boosting",
    "kmeans",
    "lightgbm",
    "xgboost",
    "faiss",
    "faiss_hnsw",
    "numba_omp",
    "nested_joblib",
    "libraries_together",
    "threadpoolctl",
    "blas_threads",
    "lapack_threads",
    "blas_alone",
]
# Children that train after their parent did: the stock runtime hangs in them.
FORKED = ["forked_lightgbm", "forked_xgboost", "forked_faiss", "forked_scikit"]


class Wheels(Program):
    @classmethod
    def setUpClass(cls):
        environment = os.path.join(cls.folder, "venv")
        cls.python = os.path.join(environment, "bin", "python")
        complete = os.path.join(environment, "complete")
        wanted = " ".join(WHEELS)
        if os.path.exists(complete):
            with open(complete, encoding="utf-8") as file:
                if file.read() == wanted:
                    return
        for step in (
            [sys.executable, "-m", "venv", environment],
            [cls.python, "-m", "pip", "install", "--quiet", *WHEELS],
        ):
            done = subprocess.run(step, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                lines = (done.stdout + done.stderr).strip().splitlines()
                raise unittest.SkipTest(
                    f"{' '.join(step)}: {lines[-1] if lines else done.returncode}"
                )
        with open(complete, "w", encoding="utf-8") as file:
            file.write(wanted)

    def check(self, errors):
        """Nothing may be left spinning when the work is done."""
        self.assertRegex(errors, r"took [0-9.]+ idle [0-9.]+\n\Z")
        self.assertLess(float(errors.split()[-1]), 0.1)


def same(case):
    return lambda self: self.check(
        self.same([self.python, "-B", CASES, case], OMP_NUM_THREADS="4")[1]
    )


def forked(case):
    def test(self):
        printed, errors = self.ours([self.python, "-B", CASES, case], OMP_NUM_THREADS="4")
        self.assertEqual(printed, b"[True, True, True] True\n")
        self.check(errors)

    return test


for name in SAME:
    setattr(Wheels, "test_" + name, same(name))
for name in FORKED:
    setattr(Wheels, "test_" + name, forked(name))

if __name__ == "__main__":
    main()
