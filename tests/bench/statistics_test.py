"""Medians and minima of several processes, their order, and which processes count."""
import unittest

from support import line
from harness import nearness, statistics


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

    def test_takes_the_last_run_when_its_time_is_over(self):
        def far():
            while True:
                yield 400

        gate = self.gate(far())
        self.assertEqual(gate.run(lambda: ("only", "")), ("only", ""))
        self.assertEqual((gate.gave_up, gate.counted), (1, 0))
        self.assertGreaterEqual(self.now, nearness.TIME_LIMIT)

    def test_an_error_is_not_tried_again(self):
        gate, runs = self.gate([100, 400]), iter([([], "exit 1"), ([], "again")])
        self.assertEqual(gate.run(lambda: next(runs)), ([], "exit 1"))

    def test_undisturbed(self):
        self.assertTrue(nearness.undisturbed(1.0, 0.03, 0.03))
        self.assertFalse(nearness.undisturbed(1.0, 0.03, 0.06))


if __name__ == "__main__":
    unittest.main()
