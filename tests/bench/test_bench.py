#!/usr/bin/env python3
"""Tests of bench/run's parts that decide what a reader is told: medians, order, tables, verdicts,
disturbance, and that every target belongs to a figure some program prints."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))

# noqa: E402
from harness import (
    compare,
    figures,
    kept,
    loop_page,
    loops,
    machine,
    nearness,
    overhead_page,
    pairs,
    programs,
    ratios,
    report,
    runner,
    runtimes,
    statistics,
    turns,
)

PLACES = runtimes.Places(
    ROOT, "/nowhere", "/nowhere/bench-programs", "/nowhere/venv", "/nowhere/peers"
)


def line(median, minimum=None, p90=None, **more):
    return {
        "measure": "m",
        "unit": "us",
        "median": median,
        "min": minimum or median,
        "p90": p90 or median,
        **more,
    }


class Statistics(unittest.TestCase):
    def test_median(self):
        self.assertEqual(statistics.median([3, 1, 2]), 2)
        self.assertEqual(statistics.median([4, 1, 2, 3]), 2.5)
        self.assertEqual(statistics.median([7]), 7)

    def test_combine_takes_median_of_medians_and_smallest_minimum(self):
        combined = statistics.combine(
            [line(1.0, 0.9, 2), line(9.0, 0.5, 20), line(2.0, 1.5, 3, size=27)]
        )
        self.assertEqual((combined["median"], combined["min"], combined["p90"]), (2.0, 0.5, 3))
        self.assertEqual(combined["processes"], 3)
        self.assertEqual(combined["spread"], 9)
        self.assertEqual(combined["extra"], {"size": 27})
        self.assertIsNone(statistics.combine([]))

    def test_interleave_gives_each_a_turn_per_round_and_moves_the_start(self):
        self.assertEqual(statistics.interleave(["a", "b", "c"], 3), list("abcbcacab"))
        self.assertEqual(statistics.interleave([], 3), [])

    def test_significant(self):
        for value, text in (
            (0.1234, "0.123"),
            (12.34, "12.3"),
            (123.4, "123"),
            (12345.6, "12346"),
            (0, "0"),
            (None, "-"),
            (float("inf"), "inf"),
            (2.5e-5, "2.5e-05"),
            (1.1, "1.10"),
            (3e7, "3.00e+07"),
        ):
            self.assertEqual(statistics.significant(value), text)


class Nearness(unittest.TestCase):
    """With a limit only processes count before and after which the CPUs were near each other."""

    def gate(self, looks, disturbances=None):
        looks, disturbances, self.now = iter(looks), iter(disturbances or []), 0.0

        def pause(seconds):
            self.now += seconds

        class Monitor:
            def start(self):
                pass

            def stop(self):
                return {"seconds": 1.0, "others": next(disturbances, 0.0), "steal": 0.0}

        return nearness.Near(
            "probe", 150, lambda: self.now, pause, lambda probe: next(looks), Monitor
        )

    def test_waits_until_near_and_runs_again_when_no_longer_near_after_it(self):
        gate, runs = self.gate([400, 400, 100, 400, 110, 120]), iter(["first", "second"])
        self.assertEqual(gate.run(lambda: (next(runs), "")), ("second", ""))
        self.assertEqual(
            gate.summary(), {"limit_ns": 150, "counted": 1, "turned_away": 1, "gave_up": 0}
        )
        self.assertAlmostEqual(self.now, 2 * nearness.PAUSE)

    def test_turns_away_what_others_disturbed(self):
        gate, runs = self.gate([100] * 9, [0.4, 0.0]), iter(["first", "second"])
        self.assertEqual(gate.run(lambda: (next(runs), ""))[0], "second")

    def test_takes_the_last_run_when_patience_ends(self):
        def far():
            while True:
                yield 400

        gate = self.gate(far())
        self.assertEqual(gate.run(lambda: ("only", "")), ("only", ""))
        self.assertEqual((gate.gave_up, gate.counted), (1, 0))
        self.assertGreaterEqual(self.now, nearness.PATIENCE)

    def test_an_error_is_not_tried_again(self):
        gate, runs = self.gate([100, 400]), iter([([], "exit 1"), ([], "again")])
        self.assertEqual(gate.run(lambda: next(runs)), ([], "exit 1"))

    def test_undisturbed(self):
        self.assertTrue(nearness.undisturbed(1.0, 0.03, 0.03))
        self.assertFalse(nearness.undisturbed(1.0, 0.03, 0.06))


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
        with open(os.path.join(ROOT, programs.CASES), encoding="utf-8") as file:
            defined = set(re.findall(r"^def (\w+)\(\)", file.read(), re.MULTILINE))
        self.assertLessEqual(set(programs.PYPI) | set(programs.NESTED), defined)
        names = [workload.name for workload in programs.all_workloads(ROOT, "/nowhere", "/nowhere")]
        self.assertEqual(len(names), len(set(names)))


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
    def results(self, **more):
        figure = {
            "section": "openmp",
            "columns": ["artel", "libgomp", "libomp"],
            "ours": ["artel"],
            "errors": {"libomp": "killed by SIGSEGV"},
            "results": {
                "artel": statistics.combine([line(0.3)]),
                "libgomp": statistics.combine([line(0.6)]),
            },
        }
        base = {
            "machine": {
                "time": "now",
                "cpu": "x",
                "cpus": 2,
                "hypervisor": True,
                "kernel": "6",
                "governor": "none",
                "load_before": ["0", "0", "0"],
                "compilers": {"gcc": "g", "clang": "c"},
                "libraries": {"l": "1"},
                "artel": "v",
            },
            "rounds": 5,
            "seconds": 0.5,
            "figures": {"openmp.region@2": figure},
            "cases": [{"name": "openmp.region@2", "seconds": 1, "others": 0.0, "steal": 0.0}],
            "problems": [],
            "left_out": {},
        }
        return {**base, **more}

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
        text = report.text(self.results(), self.targets)
        self.assertRegex(
            text,
            r"region@2\s+us\s+0\.350\s+0\.300 \(0\.300\)\s+0\.600 \(0\.600\)\s+failed\s+"
            r"met, ahead of libgomp x2\.0",
        )
        self.assertIn("libgomp 0.650-0.830", text)
        self.assertIn("machine was quiet", text)

    def test_busy_machine_problems_and_left_out_are_told(self):
        text = report.text(
            self.results(
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
        results = self.results()
        figure = results["figures"]["openmp.region@2"]
        figure["ours"], figure["columns"] = ["artel", "artel (clang)"], [
            "artel",
            "artel (clang)",
            "libgomp",
        ]
        figure["results"]["artel (clang)"] = statistics.combine([line(0.7)])
        self.assertIn("missed x2.0, behind libgomp", report.text(results, self.targets))

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

        results = self.results(
            figures={
                "overheads.barrier@1": figure(1.05, 1.0),
                "overheads.single@1": figure(1.2, 1.0),
                "overheads.barrier@16": figure(1.05, 1.0),
            }
        )
        self.assertEqual(overhead_page.sizes(results), [1, 16])
        text = "".join(overhead_page.parts(results))
        self.assertIn("1 of 2 constructs as asked for", text)
        self.assertIn("<td>1.20 ×</td>", text)
        self.assertIn("<td>1.05 ×</td>", text)
        self.assertIn("0 of 1 constructs as asked for", text)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "overheads.html")
            self.assertTrue(overhead_page.write(path, results))
            self.assertFalse(overhead_page.write(path + "2", self.results()))

    def test_cell(self):
        steady, unsteady = statistics.combine([line(1.0)]), statistics.combine(
            [line(1.0), line(9.0)]
        )
        self.assertEqual(report.cell(steady, None), "1.00 (1.00)")
        self.assertEqual(report.cell(unsteady, "exit 1"), "~5.00 (1.00)!")
        self.assertEqual((report.cell(None, "exit 1"), report.cell(None, None)), ("failed", "-"))

    def test_layout_aligns(self):
        self.assertEqual(report.layout([["a", "b"], ["ccc", "d"]]), ["a    b", "---  -", "ccc  d"])


def loop_results(ours, peers, processes=5):
    """Results of spmv-balanced@2: {size: median} of ours, {name: {size: median}} of peers."""
    results = {
        "figures": {},
        "machine": Report().results()["machine"],
        "cases": [],
        "problems": [],
        "left_out": {},
        "rounds": 5,
        "seconds": 0.5,
    }
    for size in ours:
        columns = {"artel": ours[size], **{name: values[size] for name, values in peers.items()}}
        lines = {
            name: [line(value * (1 + 0.001 * i)) for i in range(processes)]
            for name, value in columns.items()
        }
        results["figures"][f"loops.spmv-balanced/{size}@2"] = {
            "section": "loops spmv-balanced",
            "columns": list(columns),
            "ours": ["artel"],
            "errors": {},
            "results": {name: statistics.combine(some) for name, some in lines.items()},
            "processes": lines,
        }
    return results


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

    def test_four_digits_are_kept(self):
        self.assertEqual(kept.middle([1.23456, 2.34567, 9]), [2.346, 1.235, 3])


class Machine(unittest.TestCase):
    def test_parse_cpu_line(self):
        hertz = os.sysconf("SC_CLK_TCK")
        busy, steal = machine.parse_cpu_line(
            f"cpu  {hertz} {hertz} {hertz} 500 500 {hertz} {hertz} {2 * hertz} 7 0\ncpu0 1\n"
        )
        self.assertEqual((busy, steal), (5.0, 2.0))

    def test_monitor_does_not_count_our_children(self):
        monitor = machine.Monitor()
        monitor.start()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        self.assertGreaterEqual(monitor.stop()["others"], 0)


class Runner(unittest.TestCase):
    def run_python(self, code, timeout=20):
        return runner.run_process([sys.executable, "-c", code], dict(os.environ), timeout)

    def test_measures_are_picked_out_of_the_output(self):
        measures, error = self.run_python(
            "print('hello'); print('{\"measure\":\"m\",\"median\":1}'); print('{broken')"
        )
        self.assertEqual((measures, error), ([{"measure": "m", "median": 1}], ""))

    def test_failures_are_told(self):
        self.assertEqual(self.run_python("import sys; sys.exit('no luck')")[1], "exit 1: no luck")
        self.assertEqual(self.run_python("import os; os.abort()")[1], "killed by SIGABRT")
        self.assertEqual(self.run_python("pass")[1], "printed no measure")
        self.assertIn("No such file", runner.run_process(["/nowhere/program"], {}, 5)[1])

    def test_timeout_kills(self):
        start = time.monotonic()
        self.assertEqual(self.run_python("import time; time.sleep(60)", 1)[1], "not done after 1 s")
        self.assertLess(time.monotonic() - start, 20)

    def test_environment_is_scrubbed(self):
        kept = runner.clean_environment(
            {"OMP_NUM_THREADS": "3", "ARTEL_WAIT": "x", "LD_PRELOAD": "y", "HOME": "/"}
        )
        self.assertEqual(kept, {"HOME": "/"})

    def test_wrong_library(self):
        column = runtimes.Runtime("artel", True, "p", {}, "libgomp-artel")
        self.assertEqual(runner.wrong_library(column, [{"library": "/x/libgomp-artel.so.1"}]), "")
        self.assertIn(
            "instead of", runner.wrong_library(column, [{"library": "/lib/libgomp.so.1"}])
        )


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


class Turns(unittest.TestCase):
    def test_a_process_and_its_lines(self):
        with tempfile.NamedTemporaryFile("w", suffix=".sh") as program:
            program.write("printf 'yield\\t3.5\\t2.0\\nbytes\\t%s\\n' $ONE\n")
            program.flush()
            self.assertEqual(
                turns.measure("sh", {"ONE": "7"}, program.name),
                {"yield": (3.5, 2.0), "bytes": (7.0, 7.0)},
            )

    def test_contenders_take_turns(self):
        asked, rounds = [], []
        figures = iter([(3.0, 1.0), (9.0, 8.0), (5.0, 2.0), (7.0, 6.0), (4.0, 3.0), (8.0, 7.0)])

        def run(what):
            asked.append(what)
            return {"case": next(figures)}

        result = turns.in_turn({"ours": "A", "stock": "B"}, 3, run, rounds.append)
        self.assertEqual((asked, rounds), (list("ABABAB"), [1, 2, 3]))
        self.assertEqual(
            result,
            {"case": {"ours": {"median": 4.0, "min": 1.0}, "stock": {"median": 8.0, "min": 6.0}}},
        )
        self.assertRegex(
            turns.line("case", result["case"]), r"^case +ours +4\.0 +1\.0 +stock +8\.0 +6\.0$"
        )


if __name__ == "__main__":
    unittest.main()
