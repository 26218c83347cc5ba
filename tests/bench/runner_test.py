"""How processes are run in turns, and how disturbance by others is seen."""
import os
import subprocess
import sys
import tempfile
import time
import unittest

import support  # noqa: F401  pylint: disable=unused-import  # it says where harness is
from harness import machine, runner, runtimes, turns


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
