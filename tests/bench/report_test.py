"""The table of bench/run: its verdicts, and what it tells of machine and problems."""
import os
import tempfile
import unittest

from support import line, results
from harness import overhead_page, report, statistics


class Verdict(unittest.TestCase):
    def say(self, ours, peers, target=None, anchors=None):
        return report.verdict(
            {"median": ours, "min": ours},
            {name: {"median": value} for name, value in peers.items()},
            target,
            "median",
            anchors or {},
            ["BOLT"],
        )

    def test_met_and_ahead(self):
        self.assertEqual(
            self.say(0.3, {"libgomp": 0.6, "libomp": 0.9}, 0.35), "met, ahead of libgomp x2.0"
        )

    def test_missed_and_behind(self):
        self.assertEqual(self.say(0.7, {"libgomp": 0.35}, 0.35), "missed x2.0, behind libgomp x2.0")

    def test_anchor_counts_only_for_a_peer_that_is_not_packaged(self):
        self.assertEqual(
            self.say(2.0, {"libgomp": 9.0}, None, {"BOLT": [1.0, 4.0], "libgomp": [0.1, 0.1]}),
            "behind BOLT (anchor) x2.0",
        )

    def test_floor_is_no_rival(self):
        self.assertEqual(self.say(5.0, {"call": 1.0}, 6), "met")

    def test_nothing_measured(self):
        self.assertEqual(report.verdict(None, {"libgomp": {"median": 1}}, 1, "median", {}, []), "")


class Report(unittest.TestCase):
    targets = {
        "unpackaged": ["BOLT"],
        "figures": {
            "openmp.region@2": {
                "target": 0.35,
                "statistic": "median",
                "anchors": {"libgomp": [0.65, 0.83]},
            }
        },
    }

    def test_row_has_target_cells_and_verdict(self):
        text = report.text(results(), self.targets)
        self.assertRegex(
            text,
            r"region@2\s+us\s+0\.350\s+0\.300 \(0\.300\)\s+0\.600 \(0\.600\)\s+failed\s+"
            r"met, ahead of libgomp x2\.0",
        )
        self.assertIn("libgomp 0.650-0.830", text)
        self.assertIn("machine was quiet", text)

    def test_busy_machine_problems_and_left_out_are_told(self):
        text = report.text(
            results(
                cases=[{"name": "openmp.region@2", "seconds": 1, "others": 0.4, "steal": 0.0}],
                problems=["it broke"],
                left_out={"cpp: artel": "not built yet"},
            ),
            self.targets,
        )
        self.assertIn("THE MACHINE WAS BUSY during 1 of 1", text)
        self.assertIn("it broke", text)
        self.assertIn("cpp: artel: not built yet", text)

    def test_verdict_is_about_the_worse_of_our_columns(self):
        found = results()
        figure = found["figures"]["openmp.region@2"]
        figure["ours"], figure["columns"] = ["artel", "artel (clang)"], [
            "artel",
            "artel (clang)",
            "libgomp",
        ]
        figure["results"]["artel (clang)"] = statistics.combine([line(0.7)])
        self.assertIn("missed x2.0, behind libgomp", report.text(found, self.targets))

    def test_overheads_are_judged_by_the_size_of_the_team(self):
        def figure(ours, peer):
            return {
                "section": "overheads",
                "columns": ["artel", "libgomp"],
                "ours": ["artel"],
                "errors": {},
                "results": {
                    "artel": statistics.combine([line(ours)]),
                    "libgomp": statistics.combine([line(peer)]),
                },
            }

        found = results(
            figures={
                "overheads.barrier@1": figure(1.05, 1.0),
                "overheads.single@1": figure(1.2, 1.0),
                "overheads.barrier@16": figure(1.05, 1.0),
            }
        )
        self.assertEqual(overhead_page.sizes(found), [1, 16])
        text = "".join(overhead_page.parts(found))
        self.assertIn("1 of 2 constructs as asked for", text)
        self.assertIn("<td>1.20 ×</td>", text)
        self.assertIn("<td>1.05 ×</td>", text)
        self.assertIn("0 of 1 constructs as asked for", text)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "overheads.html")
            self.assertTrue(overhead_page.write(path, found))
            self.assertFalse(overhead_page.write(path + "2", results()))

    def test_cell(self):
        steady, unsteady = statistics.combine([line(1.0)]), statistics.combine(
            [line(1.0), line(9.0)]
        )
        self.assertEqual(report.cell(steady, None), "1.00 (1.00)")
        self.assertEqual(report.cell(unsteady, "exit 1"), "~5.00 (1.00)!")
        self.assertEqual((report.cell(None, "exit 1"), report.cell(None, None)), ("failed", "-"))

    def test_layout_aligns(self):
        self.assertEqual(report.layout([["a", "b"], ["ccc", "d"]]), ["a    b", "---  -", "ccc  d"])


if __name__ == "__main__":
    unittest.main()
