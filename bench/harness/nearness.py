"""Counts only processes during which the machine did not change.

The host of a virtual machine puts its CPUs on cores that share a cache, or far apart, or takes them
away, all within seconds. The time that two threads need to answer each other then differs fivefold,
and a median over such states shows which state was more frequent, not which runtime is faster. With
a limit, a process counts only when a bare round trip between two CPUs took at most that long before
and after it, and no more than a twentieth of its time went to other work or to the host. Otherwise
it is run again. All runtimes are treated alike, and runs that did not count are counted and
reported."""

import subprocess
import time

from . import machine, runner

TRIES = 60  # of one process
PAUSE = 0.1  # seconds between looks at a machine whose CPUs are far apart
TIME_LIMIT = 120.0  # seconds for one process, all its tries included
SHARE = 0.05  # of a CPU that others and the host may take
# Seconds: /proc/stat counts in hundredths, of which one on each CPU may belong to any process.
TICK = 0.02


def round_trip(probe):
    """Nanoseconds that two CPUs need for a round trip now. Raises OSError or ValueError when the
    probe does not run."""
    done = subprocess.run(
        [probe],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
        preexec_fn=runner.own_scheduling_group,
    )
    return float(done.stdout)


def undisturbed(seconds, others, steal):
    """Whether so much of others' work and steal, in CPUs, is normal for a quiet machine."""
    return (others + steal) * seconds <= SHARE * seconds + TICK


class Always:
    """No limit: the first run of a process counts."""

    def __init__(self):
        self.counted, self.turned_away, self.gave_up = 0, 0, 0

    def run(self, process):
        self.counted += 1
        return process()

    def summary(self):
        return None


class Near(Always):
    """Runs a process until the CPUs were near each other, before and after it."""

    def __init__(
        self,
        probe,
        limit,
        clock=time.monotonic,
        pause=time.sleep,
        look=round_trip,
        monitor=machine.Monitor,
    ):
        super().__init__()
        self._probe, self.limit = probe, limit
        self._clock, self._pause, self._look, self._monitor = clock, pause, look, monitor

    def _near(self):
        return self._look(self._probe) <= self.limit

    def run(self, process):
        """process() runs one program and returns (measures, error). Returns what the run that
        counts returned; after TRIES runs or TIME_LIMIT seconds the last one counts although it was
        disturbed, and is reported. An error ends the tries."""
        start = self._clock()
        last = None
        for _ in range(TRIES):
            while not self._near() and self._clock() - start < TIME_LIMIT:
                self._pause(PAUSE)
            monitor = self._monitor()
            monitor.start()
            last = process()
            went = monitor.stop()
            if last[1] or (self._near() and undisturbed(**went)):
                self.counted += 1
                return last
            if self._clock() - start >= TIME_LIMIT:
                break
            self.turned_away += 1
        self.gave_up += 1
        return last

    def summary(self):
        return {
            "limit_ns": self.limit,
            "counted": self.counted,
            "turned_away": self.turned_away,
            "gave_up": self.gave_up,
        }
