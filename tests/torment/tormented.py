"""Processes whose threads the tormentor stops (tormentor.c, points.hpp): their environment,
and what is said of one that fails or hangs."""
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from stacks import print_stacks  # noqa: E402  pylint: disable=wrong-import-position


class Tormented:
    """Runs commands one after the other, each with a seed of its own, and counts how they end."""

    def __init__(self, arguments):
        self.arguments, self.build = arguments, arguments.build
        self.folder = os.path.join(self.build, "tests/torment")
        self.tormentor = os.path.join(self.folder, "libtormentor.so")
        self.drop_in = os.path.join(self.build, "lib/libgomp-artel.so.1")
        self.report = tempfile.NamedTemporaryFile(
            prefix="torment-", suffix=".report"
        )  # pylint: disable=consider-using-with
        self.seed = arguments.seed
        self.passed = self.failed = 0

    def environment(self, more):
        clean = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("OMP_", "GOMP_", "KMP_", "LD_", "ARTEL_", "TORMENT_"))
        }
        return (
            clean
            | {
                "TORMENT_SEED": str(self.seed),
                "TORMENT_REPORT": self.report.name,
                "TORMENT_POINTS": str(self.arguments.points),
                "OMP_CANCELLATION": "true",
            }
            | more
        )

    def one(self, name, command, limit, more=None, good=(0,)):
        self.seed += 1
        begin = time.monotonic()
        with subprocess.Popen(
            command,
            env=self.environment(more or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
            cwd=self.folder,
        ) as process:
            try:
                output, _ = process.communicate(timeout=limit)
                bad = "" if process.returncode in good else f"status {process.returncode}"
            except subprocess.TimeoutExpired:
                print_stacks(process.pid)
                os.killpg(process.pid, signal.SIGKILL)
                output, _ = process.communicate()
                bad = f"not done after {limit} s"
        if bad:
            self.failed += 1
            settings = " ".join(f"{k}={v}" for k, v in (more or {}).items())
            print(
                (
                    f"FAILED {name}, seed {self.seed}, {settings}: {bad}\n "
                    f" {' '.join(command)}\n{output[-4000:]}"
                ),
                flush=True,
            )
        else:
            self.passed += 1
            if self.arguments.verbose:
                print(f"ok {name}, seed {self.seed}, {time.monotonic() - begin:.0f} s", flush=True)

    def tell_stops(self):
        """Prints how often threads were stopped; never is a failure."""
        with open(self.report.name, encoding="utf-8") as file:
            lines = [line.split() for line in file]
        stops, seconds = sum(int(line[0]) for line in lines), sum(float(line[1]) for line in lines)
        print(f"{stops} stops in {len(lines)} processes that ran {seconds:.0f} s")
        if stops == 0:
            self.failed += 1
            print("FAILED: nothing was stopped")
