"""Runs a command under the stock runtime and under ours, and compares what it printed."""

import os
import pathlib
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from stacks import print_stacks  # noqa: E402  pylint: disable=wrong-import-position


class Program(unittest.TestCase):
    tool = ""
    folder = ""

    def under(self, runtime, command, limit, **variables):
        environment = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("OMP_", "ARTEL_", "GOMP_", "OPENBLAS_"))
        }
        environment.update(variables)
        prefix = [self.tool, "run", "--"] if runtime == "ours" else []
        with subprocess.Popen(
            prefix + command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:
            try:
                output, errors = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                print_stacks(process.pid, sys.stderr)
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                self.fail(
                    f"{' '.join(command)} with {variables} hangs under {runtime}: ended after"
                    f" {limit} s"
                )
        return subprocess.CompletedProcess(command, process.returncode, output, errors)

    def ours(self, command, limit=300, **variables):
        """What `command` printed to stdout and stderr under ours; fails the test unless it ended
        well."""
        done = self.under("ours", command, limit, **variables)
        self.assertEqual(
            done.returncode, 0, (command, variables, done.stderr.decode(errors="replace")[-2000:])
        )
        return done.stdout, done.stderr.decode(errors="replace")

    def same(self, command, limit=300, **variables):
        """Fails unless both runtimes print the same to stdout; returns what it printed to both
        under ours."""
        stock = self.under("stock", command, limit, **variables)
        self.assertEqual(
            stock.returncode,
            0,
            ("the stock runtime fails", command, stock.stderr.decode(errors="replace")[-2000:]),
        )
        printed, errors = self.ours(command, limit, **variables)
        self.assertEqual(printed, stock.stdout, (command, variables))
        return printed, errors


def main():
    """usage: TEST ARTEL_TOOL FOLDER [TEST_NAME...]; exits with 77 when there was nothing that could
    be run."""
    Program.tool, Program.folder = (os.path.abspath(path) for path in sys.argv[1:3])
    result = unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2, exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(77 if result.testsRun == len(result.skipped) else 0)
