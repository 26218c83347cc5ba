"""What the tests of whole jobs share: a job must end well, and leaves nothing in /dev/shm.
Where libraries and MPIs are: see jobs.py."""
from __future__ import annotations

import glob
import shlex
import unittest

from jobs import Stuck, Way, run, ways


class Job(unittest.TestCase):
    @staticmethod
    def ways() -> list[Way]:
        """Those that the tests of this class are about."""
        return [way for way in ways() if way.mpi.name in ("openmpi", "mpich")]

    def setUp(self) -> None:
        if not self.ways():
            self.skipTest("none of the MPIs that this is about is installed here")
        self.before = self.leftovers()

    def tearDown(self) -> None:
        self.assertEqual(self.leftovers(), self.before, "something of ours stayed in /dev/shm")

    @staticmethod
    def leftovers() -> set[str]:
        return set(glob.glob("/dev/shm/artel*"))

    def good(self, way: Way, words: list[str], limit: float = 100) -> str:
        """Runs a job that must end well; returns what it told on stderr."""
        try:
            # What takes too long is told from what hangs: machines are busy, and MPI libraries that
            # spin suffer from it most.
            done = run(words, way.mpi.environment, limit, extra=4 * limit)
        except Stuck as stuck:
            self.fail(str(stuck))
        self.assertEqual(
            done.returncode, 0, f"{shlex.join(words)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        )
        self.assertIn("ok ", done.stdout)
        return done.stderr


class Peers:
    """The same with the MPIs from PyPI."""

    @staticmethod
    def ways() -> list[Way]:
        return [way for way in ways() if way.mpi.name not in ("openmpi", "mpich")]
