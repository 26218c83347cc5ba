"""tools/quickstart: how answers are read and compared, the figures, the table and the page."""

import re
import tempfile
import types
import pathlib
import unittest

from runner_case import a_result, a_run  # first: it says where the others are
import agree
import table
import threads


class Agreement(unittest.TestCase):
    def test_only_result_lines_count(self):
        text = "hello\nresult: a 1  \ntime: 3 s\n result: indented\nresult: b\n"
        self.assertEqual(agree.result_lines(text), ["result: a 1", "result: b"])

    def test_equal_answers(self):
        self.assertEqual(agree.disagreements([a_run()] * 2, [a_run()] * 2), [])

    def test_a_different_answer_is_named(self):
        complaints = agree.disagreements([a_run(), a_run()], [a_run(), a_run(answer=["result: 2"])])
        self.assertEqual(
            complaints, ["run 2 under artel disagrees: 'result: 2' instead of 'result: 1'"]
        )

    def test_the_stock_runtime_has_to_agree_with_itself(self):
        complaints = agree.disagreements([a_run(), a_run(answer=["result: 2"])], [a_run(), a_run()])
        self.assertEqual(len(complaints), 1)
        self.assertIn("run 2 under stock disagrees", complaints[0])

    def test_no_answer_is_no_agreement(self):
        complaints = agree.disagreements([a_run(answer=[])], [a_run(answer=[])])
        self.assertEqual(
            complaints,
            ["run 1 under stock printed no result", "run 1 under artel printed no result"],
        )

    def test_a_failure_counts_even_when_the_output_agrees(self):
        self.assertEqual(
            agree.disagreements([a_run()], [a_run(failure="exit status 1")]),
            ["run 1 under artel: exit status 1"],
        )

    def test_missing_lines(self):
        self.assertEqual(agree.first_difference(["a", "b"], ["a"]), "1 result lines instead of 2")

    def test_runtime_mix_up_is_noticed(self):
        stock, ours = a_run(), a_run(runtime="libgomp-artel.so.1.0.0")
        self.assertEqual(agree.wrong_runtime([stock], [ours]), "")
        self.assertIn("libgomp.so.1.0.0", agree.wrong_runtime([stock], [stock]))
        self.assertIn("libgomp-artel", agree.wrong_runtime([ours], [ours]))
        self.assertEqual(agree.wrong_runtime([stock], [stock], both_stock=True), "")
        self.assertEqual(agree.wrong_runtime([a_run(runtime=None)], [a_run(runtime=None)]), "")


class Numbers(unittest.TestCase):
    def test_ratio(self):
        self.assertEqual(agree.ratio(6, 3), 2)
        self.assertIsNone(agree.ratio(6, 0))
        self.assertIsNone(agree.ratio(None, 3))

    def test_median_skips_the_unknown(self):
        self.assertEqual(agree.median([None, 3, 1, 2]), 2)
        self.assertIsNone(agree.median([None]))

    def test_geometric_mean(self):
        self.assertAlmostEqual(agree.geometric_mean([0.5, 2]), 1)
        self.assertIsNone(agree.geometric_mean([]))

    def test_text(self):
        self.assertEqual(table.number(1234567), "1,234,567")
        self.assertEqual(table.number(None), "-")
        self.assertEqual(table.number(5, bound="≤"), "≤5")
        self.assertEqual(
            [table.times(value) for value in (None, 1.234, 12.34, 123.4)],
            ["-", "1.23x", "12.3x", "123x"],
        )

    def test_failed_runs_do_not_enter_medians(self):
        result = a_result(
            "x", [a_run(2), a_run(2)], [a_run(1), a_run(100, failure="did not finish")]
        )
        self.assertEqual(result["summary"]["wall"]["artel"], 1)
        self.assertEqual(result["summary"]["wall"]["ratio"], 2)

    def test_table_lines_are_aligned_and_complete(self):
        results = [
            a_result("short", [a_run(2, exact=False)], [a_run(1)]),
            a_result("longer-name", [a_run(2)], [a_run(1, answer=["result: 9"])]),
        ]
        lines = table.as_text(results)
        self.assertEqual(len(lines), 5)
        self.assertIn("2.00x", lines[3])
        self.assertIn("≤3", lines[3])
        self.assertTrue(lines[3].endswith("same") and lines[4].endswith("WRONG"))
        self.assertEqual(len({len(line) for line in lines[1:]}), 1)
        self.assertIn("NOT in order: longer-name", table.verdict(results))


class Page(unittest.TestCase):
    def test_the_page_is_self_contained_and_escaped(self):
        try:
            import report
        except ImportError as error:
            self.skipTest(str(error))
        results = [
            a_result("fast", [a_run(2), a_run(2.2)], [a_run(1), a_run(1)]),
            a_result(
                "broken",
                [a_run(1), a_run(1)],
                [a_run(failure="exit status 1"), a_run(failure="exit <2>")],
            ),
        ]
        options = types.SimpleNamespace(rounds=2, quick=False, null_test=False)
        about = {
            "machine": {"processor": "A & B", "settings": {"OMP_NUM_THREADS": "3"}},
            "written": "today",
        }
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.html"
            report.write(path, results, about, options, threads.LastPidCounter())
            page = path.read_text(encoding="utf-8")
        self.assertEqual(page.count("data:image/svg+xml;base64,"), 3)
        without_images = re.sub(r"data:image/svg\+xml;base64,[A-Za-z0-9+/=]+", "", page)
        self.assertNotRegex(without_images, r"(src|href)=\"(?!\")")
        self.assertNotIn("<script", page)
        for piece in (
            "A &amp; B",
            "OMP_NUM_THREADS=3",
            "exit &lt;2&gt;",
            "2.10x",
            "artel run -- fast",
            "An &lt;explanation&gt;.",
        ):
            self.assertIn(piece, page)


if __name__ == "__main__":
    unittest.main()
