"""Loops: ratios to the best competitor at each size, families of columns, page and table."""
import json
import os
import unittest

from support import PLACES, ROOT, line, loop_results
from harness import figures, loop_page, loops, ratios, report


class Loops(unittest.TestCase):
    peers = {
        "libgomp-static": {1024: 2.0, 2048: 8.0},
        "rayon-single": {1024: 4.0, 2048: 4.0},
        "serial": {1024: 0.1, 2048: 0.1},
    }

    def test_best_competitor_is_chosen_at_each_size_and_the_serial_loop_is_none(self):
        found = ratios.standings(loop_results({1024: 1.0, 2048: 8.0}, self.peers))
        self.assertEqual(len(found), 1)
        self.assertEqual(
            [(size.size, round(size.ratio, 6), size.name) for size in found[0].sizes],
            [(1024, 0.5, "libgomp-static"), (2048, 2.0, "rayon-single")],
        )
        self.assertAlmostEqual(found[0].mean, 1.0)
        self.assertEqual(found[0].worst.size, 2048)
        self.assertEqual(found[0].verdict({"mean": 1.02, "worst": 1.1}), "missed")
        self.assertEqual(found[0].verdict({"mean": 1.0001, "worst": 2.1}), "met")

    def test_the_fair_ratio_is_not_to_who_was_lucky(self):
        results = loop_results(
            {1024: 1.0},
            {name: {1024: 1.0} for name in ("eigen-static", "libgomp-static", "rayon-single")},
            8,
        )
        processes = results["figures"]["loops.spmv-balanced/1024@2"]["processes"]
        # Each peer is faster in some processes and slower in the others; none is better than ours.
        for name, fast in (
            ("eigen-static", (0, 2, 4, 6)),
            ("libgomp-static", (1, 3, 5, 7)),
            ("rayon-single", ()),
        ):
            processes[name] = [line(0.8 if i in fast else 1.25) for i in range(8)]
        processes["artel"] = [line(1.0)] * 8
        self.assertAlmostEqual(ratios.standings(results)[0].fair, 0.8)
        processes["rayon-single"] = [line(0.1)] * 3  # too few to choose
        self.assertAlmostEqual(ratios.standings(results)[0].fair, 0.8)
        self.assertIsNone(ratios.standings(loop_results({1024: 1.0}, self.peers, 3))[0].fair)

    def test_nothing_without_ours_or_without_peers(self):
        results = loop_results({1024: 1.0}, self.peers)
        del results["figures"]["loops.spmv-balanced/1024@2"]["results"]["artel"]
        self.assertEqual(ratios.standings(results), [])
        self.assertEqual(ratios.standings(loop_results({1024: 1.0}, {"serial": {1024: 2.0}})), [])

    def test_against_keeps_ours_and_the_floor(self):
        cases = list(loops.cases(PLACES, figures.Case, (2,)))
        names = {
            column.name
            for case in loops.against(cases, ["libgomp", "tbb-debian-auto"])
            for column in case.columns
        }
        self.assertIn("libgomp-guided/passive", names)
        self.assertEqual(
            {name for name in names if not name.startswith("libgomp")},
            {
                "artel",
                "artel-static",
                "artel-simple",
                "artel-timespan",
                "artel-timespan-grain",
                "tbb-debian-auto",
                "serial",
            },
        )

    def test_every_column_has_a_family(self):
        for case in loops.cases(PLACES, figures.Case, (2, 16), 2):
            self.assertEqual(
                len({column.name for column in case.columns}), len(case.columns), case.name
            )
            for column in case.columns:
                self.assertIn(loops.family(column.name), loops.FAMILIES)

    def test_targets_name_benchmarks(self):
        with open(os.path.join(ROOT, "bench", "targets.json"), encoding="utf-8") as file:
            wanted = json.load(file)["loops"]
        known = {benchmark.name for benchmark in loops.BENCHMARKS}
        for key, target in wanted.items():
            self.assertIn(key.rpartition("@")[0], known)
            self.assertGreaterEqual(target["worst"], target["mean"])

    def test_page_has_the_ratio_the_sentence_and_needs_nothing_else(self):
        targets = {"loops": {"spmv-balanced@2": {"mean": 1.02, "worst": 1.10}}}
        body = "\n".join(loop_page.parts(loop_results({1024: 1.0, 2048: 8.0}, self.peers), targets))
        self.assertIn("0 of 1 benchmarks meet", body)
        self.assertIn("it stands worst at 2048, 2.00 times rayon-single", body)
        self.assertNotRegex(body, r"(?:src|href)=\"(?!data:)")

    def test_text_names_the_missed_target(self):
        text = report.text(
            loop_results({1024: 1.0, 2048: 8.0}, self.peers),
            {
                "figures": {},
                "unpackaged": [],
                "loops": {"spmv-balanced@2": {"mean": 1.02, "worst": 1.10}},
            },
        )
        self.assertRegex(
            text,
            (
                r"spmv-balanced\s+2\s+1\.00\s+1\.00\s+2\.00\s+2048\s+rayon-single\s+1\.02 /"
                r" 1\.10\s+missed"
            ),
        )


if __name__ == "__main__":
    unittest.main()
