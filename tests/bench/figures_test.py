"""The figures that bench/run knows; every target belongs to one that some program prints."""
import json
import os
import re
import unittest

from support import PLACES, ROOT
from harness import figures


class Figures(unittest.TestCase):
    def test_names_are_unique(self):
        names = [case.name for case in figures.all_cases(PLACES)]
        self.assertEqual(len(names), len(set(names)))

    def test_choose(self):
        cases = figures.all_cases(PLACES)
        self.assertEqual({case.program for case in figures.choose(cases, ["region"])}, {"region"})
        self.assertEqual(figures.choose(cases, []), cases)
        self.assertEqual(figures.choose(cases, ["no such"]), [])

    def test_every_target_belongs_to_a_measure_that_is_printed(self):
        printed = set()
        for folder, _folders, files in os.walk(os.path.join(ROOT, "bench")):
            for name in files:
                if name.endswith((".c", ".h", ".cpp", ".hpp", ".rs")):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        printed.update(re.findall(r'"([a-z0-9-]+)"', file.read()))
        with open(os.path.join(ROOT, "bench", "targets.json"), encoding="utf-8") as file:
            targets = json.load(file)["figures"]
        suffixes = {case.key("") for case in figures.all_cases(PLACES)}
        for key, wanted in targets.items():
            match = re.fullmatch(r"(openmp|cpp)\.([a-z0-9-]+)(@\d+(?:/\w+)?)", key)
            self.assertIsNotNone(match, key)
            self.assertIn(match[2], printed, key)
            self.assertIn(f"{match[1]}.{match[3]}", suffixes, key)
            self.assertIn(wanted["statistic"], ("median", "min"))


if __name__ == "__main__":
    unittest.main()
