"""The gdb helper (tools/gdb/artel.py) on a stopped program with waiting light threads, and on one
with an OpenMP team."""
import os
import pathlib
import re
import shutil
import subprocess
import unittest

HELPER = pathlib.Path(__file__).resolve().parents[2] / "tools/gdb/artel.py"


@unittest.skipUnless(shutil.which("gdb"), "no gdb here")
class Gdb(unittest.TestCase):
    def gdb(self, program: str, *commands: str, preload: str = "") -> str:
        arguments = [
            "gdb",
            "-nx",
            "-batch",
            "-ex",
            "set debuginfod enabled off",
            "-ex",
            f"source {HELPER}",
        ]
        if preload:
            arguments += ["-ex", f"set environment LD_PRELOAD {preload}"]
        arguments += ["-ex", "set breakpoint pending on", "-ex", "break stop_here", "-ex", "run"]
        for command in commands:
            arguments += ["-ex", command]
        environment = os.environ | {"ARTEL_NUM_THREADS": "2"}
        run = subprocess.run(
            [*arguments, program], capture_output=True, text=True, timeout=120, env=environment
        )
        self.assertIn("stop_here", run.stdout, run.stdout + run.stderr)
        return run.stdout + run.stderr

    def test_waiting_light_threads(self):
        shown = self.gdb(os.environ["WAITING"], "artel workers", "artel fibers", "continue")
        waiting = re.findall(r"^(\d+) +plain +waiting on word 0x[0-9a-f]+ ", shown, re.MULTILINE)
        self.assertEqual(len(waiting), 5, shown)
        self.assertRegex(shown, r"(?m)^\d+ +\w+ +running on worker \d")
        self.assertRegex(shown, r"(?m)^\d+ +(guest|own) +(busy|idle)")
        self.assertIn("exited normally", shown)
        # Its number found in the same process: in the next one the workers may have begun earlier
        # or later, and have taken other numbers.
        first = (
            r"python import re; gdb.execute('artel backtrace ' + re.search(r'(?m)^(\d+) +plain"
            r" +waiting on word', "
            r"gdb.execute('artel fibers', to_string=True))[1])"
        )
        back = self.gdb(os.environ["WAITING"], first, "backtrace", "continue")
        self.assertIn("wait_for_it", back)
        self.assertRegex(back, r"#0 +stop_here")  # the registers were put back
        self.assertIn("exited normally", back)

    def test_team(self):
        shown = self.gdb(
            os.environ["MEMBERS"], "artel fibers", "continue", preload=os.environ["DROP_IN"]
        )
        self.assertEqual(len(re.findall(r"^\d+ +persona ", shown, re.MULTILINE)), 3, shown)
        self.assertIn("exited normally", shown)

    def test_without_artel(self):
        run = subprocess.run(
            ["gdb", "-nx", "-batch", "-ex", f"source {HELPER}", "-ex", "artel fibers"],
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertIn("libartel is not loaded", run.stderr)


if __name__ == "__main__":
    unittest.main()
