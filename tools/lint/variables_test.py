#!/usr/bin/env python3
"""check_variables.py: which ARTEL_ variables of a file count, and which the runtime knows."""
from __future__ import annotations

import pathlib
import unittest

import check_variables


class Variables(unittest.TestCase):
    def test_names_in_files(self):
        for name, text, found in (
            ("a.cpp", 'std::getenv("ARTEL_A"); ::setenv("ARTEL_B", "1", 1);', "AB"),
            ("a.cpp", '#define ARTEL_A\nconst char* x = "ARTEL_B";', ""),
            ("a.py", 'os.environ["ARTEL_A"]; os.environ.get("ARTEL_B", 1)', "AB"),
            ("a.py", 'run(ARTEL_A="1"); x = {"ARTEL_B": 1}; y = "-DARTEL_C=ON"', "AB"),
            ("run", "#!/bin/sh\nARTEL_A=1 cmake -DARTEL_C=ON; echo ${ARTEL_B-}", "AB"),
            ("text", "ARTEL_A=1", ""),
            ("CMakeLists.txt", 'p(x PROPERTIES ENVIRONMENT "ARTEL_A=1;ARTEL_B=2")', "AB"),
            ("CMakeLists.txt", 'target_compile_definitions(x PRIVATE ARTEL_A="1")', ""),
        ):
            with self.subTest(text):
                names = check_variables.names_in(pathlib.Path(name), text)
                self.assertEqual("".join(n.removeprefix("ARTEL_") for n in names), found)

    def judge(self, *names: str) -> list[str]:
        return check_variables.judge(
            dict.fromkeys(names, "here"),
            {"ARTEL_SPIN"},
            {"ARTEL_MPI", "ARTEL_MPI_QUEUE"},
            {"ARTEL_MPI", "ARTEL_MPI_", "ARTEL_TEST_", "ARTEL_ROOT"},
        )

    def test_judge(self):
        self.assertEqual(self.judge("ARTEL_SPIN", "ARTEL_MPI_QUEUE", "ARTEL_TEST_X"), [])
        for name in ("ARTEL_SPINS", "ARTEL_MPIX", "ARTEL_MPI_QUEUES", "ARTEL_TESTS"):
            self.assertEqual(len(self.judge(name, "ARTEL_TEST_X")), 1, name)
        self.assertIn("nothing reads ARTEL_TEST_", self.judge("ARTEL_SPIN")[0])


if __name__ == "__main__":
    unittest.main()
