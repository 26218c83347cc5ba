"""Two kept results side by side, and what is kept of results."""
import json
import unittest

from support import loop_results
from harness import compare, kept, ratios


class Compare(unittest.TestCase):
    @staticmethod
    def overlap(left, right):
        """Stands in for scipy's: sure when the samples do not overlap."""
        if min(len(left), len(right)) < compare.FEWEST:
            return None
        return 0.008 if max(left) < min(right) or max(right) < min(left) else 0.8

    def compared(self, before, after, processes=5):
        peers = {"libgomp-static": {1024: 2.0, 2048: 8.0}}
        found = compare.changes(
            loop_results(before, peers, processes),
            loop_results(after, peers, processes),
            self.overlap,
        )
        return compare.text(found, ("a", "b"))

    def test_slower_is_told_and_gives_status_1(self):
        lines, status = self.compared({1024: 1.0, 2048: 1.0}, {1024: 1.5, 2048: 1.0})
        self.assertEqual(status, 1)
        self.assertTrue(
            any(
                line.startswith("  slower  x1.500  loops.spmv-balanced/1024@2  artel")
                for line in lines
            ),
            lines,
        )

    def test_faster_and_unchanged_give_status_0(self):
        self.assertEqual(self.compared({1024: 1.5, 2048: 1.0}, {1024: 1.0, 2048: 1.0})[1], 0)
        lines, status = self.compared({1024: 1.0, 2048: 1.0}, {1024: 1.0, 2048: 1.0})
        self.assertEqual(status, 0)
        self.assertFalse(any("p =" in line for line in lines), lines)

    def test_too_few_processes_are_told(self):
        lines, status = self.compared({1024: 1.0}, {1024: 9.0}, processes=2)
        self.assertEqual(status, 0)
        self.assertTrue(any("too few for the test" in line for line in lines), lines)

    def test_nothing_in_common(self):
        self.assertEqual(self.compared({1024: 1.0}, {2048: 1.0})[1], 1)

    def test_false_alarms_are_held_down(self):
        self.assertEqual(compare.sure([0.04] + [0.9] * 19), [False] * 20)
        self.assertEqual(compare.sure([0.001, 0.9, 0.01]), [True, False, True])
        self.assertEqual(compare.sure([]), [])

    def test_scipys_test_tells_shifted_samples_apart(self):
        try:
            test = compare.mann_whitney()
        except compare.NoTest as error:
            self.skipTest(str(error))
        self.assertLess(test([1, 2, 3, 4, 5], [6, 7, 8, 9, 10]), 0.01)
        self.assertGreater(test([1, 3, 5, 7], [2, 4, 6, 8]), 0.5)
        self.assertIsNone(test([1, 2], [3, 4]))


class Kept(unittest.TestCase):
    def test_a_summary_says_what_the_results_said(self):
        peers = {"libgomp": {1024: 2.0, 2048: 1.0}}
        results = {
            "machine": {"cpus": 2},
            "rounds": 5,
            "seconds": 1,
            **loop_results({1024: 1.0, 2048: 3.0}, peers, 5),
        }
        short = json.loads(json.dumps(kept.shorten(results)))
        self.assertTrue(kept.is_short(short))
        self.assertFalse(kept.is_short(results))
        again = kept.expand(short)
        self.assertTrue(compare.well_formed(again))
        before, after = ratios.standings(results), ratios.standings(again)
        self.assertTrue(before)
        for one, other in zip(before, after, strict=True):
            self.assertAlmostEqual(one.mean, other.mean, 3)
            self.assertAlmostEqual(one.fair, other.fair, 3)
            self.assertEqual((one.worst.size, one.worst.name), (other.worst.size, other.worst.name))

    def test_medians_of_few_processes_have_three_digits(self):
        for count, wanted in ((3, 1.23), (4, 1.235)):
            lines = [{"median": 1.23456}] * count
            figure = {
                "section": "s",
                "ours": [],
                "results": {"a": {"unit": "us", "median": 1.23456, "min": 1.23456}},
                "processes": {"a": lines},
            }
            column = kept.shorten({"figures": {"f": figure}})["figures"]["f"]["columns"]["a"]
            self.assertEqual(column, [1.235, 1.235, [wanted] * count])

    def test_four_digits_are_kept(self):
        self.assertEqual(kept.middle([1.23456, 2.34567, 9]), [2.346, 1.235, 3])


if __name__ == "__main__":
    unittest.main()
