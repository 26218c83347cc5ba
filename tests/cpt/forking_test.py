#!/usr/bin/env python3
"""forking.c on every runtime that is installed."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
CPT = ""
RUNTIMES = []


class Forking(unittest.TestCase):
    def test_forking(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "forking")
            subprocess.run(
                [CPT, "c", "-O1", "-Wall", HERE / "forking.c", "-o", program], check=True
            )
            for runtime in RUNTIMES:
                for streams in ("1", "4"):
                    with self.subTest(runtime=runtime, streams=streams):
                        done = subprocess.run(
                            [CPT, "run", "--runtime", runtime, "--streams", streams, program],
                            capture_output=True,
                            text=True,
                            timeout=200,
                        )
                        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)


if __name__ == "__main__":
    CPT = os.path.abspath(sys.argv.pop(1))
    RUNTIMES = re.search(
        r"installed: ([a-z, ]+)",
        subprocess.run([CPT, "run", "--info"], capture_output=True, text=True).stdout,
    )[1].split(", ")
    unittest.main()
