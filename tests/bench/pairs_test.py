"""bench/programs: pairs of processes, one under each runtime."""
import os
import re
import unittest

from support import ROOT
from harness import pairs, programs


class Pairs(unittest.TestCase):
    """bench/programs: pairs of processes, one under each runtime."""

    def entry(self, stock, artel, **more):
        return {
            "what": "work",
            "nested": False,
            "threads": 2,
            "error": "",
            "disturbed": 0,
            "summary": pairs.summarise({"stock": stock, "artel": artel}),
            **more,
        }

    def test_who_begins_changes_from_pair_to_pair(self):
        self.assertEqual(pairs.order(3), ["stock", "artel", "artel", "stock", "stock", "artel"])

    def test_the_ratio_is_the_median_of_the_pairs(self):
        summary = pairs.summarise({"stock": [1.0, 2.0, 10.0], "artel": [2.0, 2.0, 5.0]})
        self.assertEqual((summary["stock"], summary["artel"]), (2.0, 2.0))
        self.assertEqual(
            (summary["ratio"], summary["lowest"], summary["highest"], summary["pairs"]),
            (1.0, 0.5, 2.0, 3),
        )
        self.assertIsNone(pairs.summarise({"stock": [1.0], "artel": []}))

    def test_verdict(self):
        for stock, artel, said in (
            ([1, 1, 1], [1.1, 1.2, 1.1], "SLOWER"),
            ([1, 1, 1], [1.1, 0.9, 1.2], "slower in the median, not in all pairs"),
            ([1, 1, 1], [1.04, 0.97, 1.0], "alike"),
            ([1, 1, 1], [0.5, 0.6, 0.5], "faster"),
            ([1, 1, 1], [0.5, 0.6, 1.2], "faster in the median, not in all pairs"),
        ):
            self.assertEqual(pairs.verdict(pairs.summarise({"stock": stock, "artel": artel})), said)

    def test_table_has_nested_workloads_apart_and_tells_what_is_doubtful(self):
        about = {
            "time": "T",
            "cpu": "C",
            "cpus": 2,
            "hypervisor": True,
            "kernel": "K",
            "governor": "g",
            "load_before": ["0"],
            "compilers": {"gcc": "G", "clang": "L"},
            "libraries": {},
            "artel": "a",
        }
        text = pairs.table(
            {
                "machine": about,
                "left_out": {"absent": "not there"},
                "workloads": {
                    "plain": self.entry([1.0], [0.5]),
                    "within": self.entry([1.0], [2.0], nested=True, disturbed=3),
                    "broken": self.entry([], [], error="artel: exit status 1: no"),
                },
            }
        )
        first, second = text.split("== teams within teams")
        self.assertRegex(first, r"plain +2 +1.00 +0.500 +0.50 \(0.50 to 0.50\) +faster +work")
        self.assertRegex(first, r"broken +2 +- +- +- +artel: exit status 1: no")
        self.assertRegex(second, r"within +2 +1.00 +2.00 +2.00 \(2.00 to 2.00\) +SLOWER")
        self.assertIn("left out: absent: not there", text)
        self.assertIn("within (3)", text.splitlines()[-1])

    def test_seconds_that_a_program_tells(self):
        self.assertEqual(programs.took("warning\ntook 1.5 0.25\n"), [1.5, 0.25])
        self.assertEqual(programs.took("it took 3 seconds\n"), [])

    def test_every_python_workload_is_a_case(self):
        cases = os.path.join(ROOT, programs.CASES)
        defined = set()
        for name in ("pypi_cases.py", "pypi_arrays.py", "pypi_learning.py"):
            with open(os.path.join(os.path.dirname(cases), name), encoding="utf-8") as file:
                defined |= set(re.findall(r"^def (\w+)\(\)", file.read(), re.MULTILINE))
        self.assertLessEqual(set(programs.PYPI) | set(programs.NESTED), defined)
        names = [workload.name for workload in programs.all_workloads(ROOT, "/nowhere", "/nowhere")]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
