#!/usr/bin/env python3
"""Small programs in the manner of real ones (task recursions, kernels, stencils, zones, several
files), translated and run with several numbers of threads. What they print must not depend on
these, and is what gcc -fopenmp makes them print."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CPT = ""
RUNTIMES = []  # but artel, the default
PROGRAMS = pathlib.Path(__file__).parent / "programs"


class Programs(unittest.TestCase):
    def run_as(self, program, threads, runtime=None):
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "OMP_CANCELLATION": "true"}
        command = [CPT, "run", "--runtime", runtime, program] if runtime else [program]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def compile_and_compare(self, sources):
        """As it is, and as C of 1989 where gcc reads it so."""
        for options in ([], ["-std=gnu89"]):
            if (
                options
                and subprocess.run(
                    ["gcc", "-fsyntax-only", "-w", "-fopenmp", *options, *map(str, sources)],
                    capture_output=True,
                ).returncode
                != 0
            ):
                continue
            with self.subTest(options=options), tempfile.TemporaryDirectory() as folder:
                ours, stock = os.path.join(folder, "ours"), os.path.join(folder, "stock")
                for command, program in (([CPT, "c"], ours), (["gcc", "-fopenmp"], stock)):
                    done = subprocess.run(
                        [
                            *command,
                            "-w",
                            "-g",
                            "-O1",
                            *options,
                            *map(str, sources),
                            "-o",
                            program,
                            "-lm",
                        ],
                        capture_output=True,
                        text=True,
                    )
                    self.assertEqual(done.returncode, 0, done.stderr)
                wanted = self.run_as(stock, 4)
                for threads in (4, 1, 3, 4):
                    self.assertEqual(self.run_as(ours, threads), wanted, f"with {threads} threads")
                for runtime in RUNTIMES:
                    for threads in (4, 3):
                        self.assertEqual(
                            self.run_as(ours, threads, runtime),
                            wanted,
                            f"on {runtime} with {threads} threads",
                        )


for file in sorted(PROGRAMS.glob("*.c")):
    setattr(Programs, "test_" + file.stem, lambda self, file=file: self.compile_and_compare([file]))
setattr(
    Programs,
    "test_several",
    lambda self: self.compile_and_compare(sorted((PROGRAMS / "several").glob("*.c"))),
)

if __name__ == "__main__":
    CPT = os.path.abspath(sys.argv.pop(1))
    RUNTIMES = re.search(
        r"installed: ([a-z, ]+)",
        subprocess.run([CPT, "run", "--info"], capture_output=True, text=True).stdout,
    )[1].split(", ")[1:]
    unittest.main()
