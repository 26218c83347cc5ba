#!/usr/bin/env python3
"""What goes wrong: ranks that die, arguments and settings that do not fit, memory that is not
there."""
from __future__ import annotations

import os
import pathlib
import subprocess
import unittest

from job_case import Job, Peers
from jobs import run


class Failures(Job):
    def test_killed_rank_ends_the_job(self) -> None:
        for way in self.ways():
            for victim, what in (
                (0, "bcast"),
                (1, "bcast"),
                (1, "barrier"),
                (2, "reduce"),
                (0, "allreduce"),
                (1, "allgather"),
            ):
                with self.subTest(way=way.name, victim=victim, what=what):
                    done = run(
                        way.command(3, "killed", str(victim), what, setup_after="1"),
                        way.mpi.environment,
                        60,
                    )
                    self.assertNotEqual(done.returncode, 0)

    def test_returned_errors(self) -> None:
        for way in self.ways():
            if way.mpi.name == "intel-abi":
                continue  # MPI_Comm_call_errhandler ends the program, also without ours
            for ranks in (2, 3):
                with self.subTest(way=way.name, ranks=ranks):
                    self.good(way, way.command(ranks, "edges", "sizes_differ", setup_after="0"))
            with self.subTest(way=way.name, what="no_memory"):
                self.good(way, way.command(2, "edges", "no_memory", setup_after="0"))

    def test_settings_that_differ(self) -> None:
        """Each rank reads an environment of its own: the first rank's settings count, and are
        told."""
        own = (
            'test "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" = 1 && export ARTEL_MPI_SETUP_AFTER=%s'
            ' ARTEL_MPI_QUEUE=64K; exec "$@"'
        )
        for way in self.ways():
            for after, others in ((0, 5), (5, 0)):
                with self.subTest(way=way.name, after=after):
                    told = self.good(
                        way,
                        way.command(
                            3,
                            "together",
                            "barriers",
                            before=("sh", "-c", own % others, "sh"),
                            setup_after=str(after),
                            verbose="on",
                        ),
                    )
                    self.assertIn(
                        f"ARTEL_MPI_SETUP_AFTER is {after} in rank 0 and {others} in rank 1", told
                    )
                    self.assertIn("ARTEL_MPI_QUEUE is 1048576 in rank 0 and 65536 in rank 1", told)
                    self.assertIn("3 ranks on 1 node", told)

    def test_spawned(self) -> None:
        """Ranks of two worlds in a communicator, those of the second with or without ours."""
        for way in self.ways():
            if way.mpi.name in ("mpich", "intel", "intel-abi"):
                continue  # Debian's MPICH and Intel MPI without a network crash there by themselves
            with self.subTest(way=way.name):
                self.assertIn(
                    "2 ranks on 1 node", self.good(way, way.command(2, "spawned", verbose="on"))
                )

    def test_mistakes(self) -> None:
        """Wrong arguments: the library's own answer, to whoever made the mistake, and nobody out of
        step afterwards."""
        for way in self.ways():
            if way.mpi.name == "intel-abi":
                continue  # errors end the program whatever the error handler is, also without ours
            for settings in ({}, dict(setup_after="0")):
                with self.subTest(way=way.name, **settings):
                    self.good(way, way.command(3, "mistakes", **settings))
            with self.subTest(way=way.name, what="uneven_gather"):
                self.good(way, way.command(3, "mistakes", "uneven_gather", setup_after="0"))

    def small_tmpfs(self, size: str) -> str:
        folder = pathlib.Path(f"/tmp/artel-test-{os.getpid()}")
        folder.mkdir(exist_ok=True)
        made = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)],
            capture_output=True,
            check=False,
        )
        if made.returncode != 0:
            folder.rmdir()
            self.skipTest("a small tmpfs cannot be mounted here")
        self.addCleanup(folder.rmdir)
        self.addCleanup(subprocess.run, ["umount", "-l", str(folder)], check=False)
        return str(folder)

    def test_no_room(self) -> None:
        """ENOSPC becomes one line and the library's own broadcast, never SIGBUS."""
        folder = self.small_tmpfs("1500K")
        for way in self.ways():
            with self.subTest(way=way.name):
                told = self.good(
                    way,
                    way.command(
                        3, "semantics", "--rounds", "1", "sizes", memory=folder, setup_after="0"
                    ),
                )
                self.assertEqual(told.count("no shared memory for collectives"), 1, told)
                self.assertIn("No space left on device", told)

    def test_limit_of_file_sizes(self) -> None:
        """A segment that may not be made that large is one line, and no SIGXFSZ."""
        for way in self.ways():
            with self.subTest(way=way.name):
                told = self.good(
                    way,
                    way.command(
                        3,
                        "together",
                        "barriers",
                        before=("sh", "-c", 'ulimit -f 80000; exec "$@"', "sh"),
                        queue="32M",
                        setup_after="0",
                    ),
                )
                self.assertEqual(told.count("no shared memory for collectives"), 1, told)
                self.assertIn("ulimit -f", told)

    def test_no_permission(self) -> None:
        for way in self.ways():
            with self.subTest(way=way.name):
                told = self.good(
                    way,
                    way.command(
                        2, "semantics", "--rounds", "1", "sizes", memory="/nowhere", setup_after="0"
                    ),
                )
                self.assertEqual(told.count("no shared memory for collectives"), 1, told)

    def test_no_room_for_pieces(self) -> None:
        """Room for the broadcast, but not for what large reductions and allgathers need: the
        library does those."""
        folder = self.small_tmpfs("4M")
        for way in self.ways():
            with self.subTest(way=way.name):
                told = self.good(
                    way,
                    way.command(3, "together", "gathers", "mixed", memory=folder, setup_after="0"),
                )
                self.assertIn("large reductions and allgathers are left to the MPI library", told)

    def test_limit(self) -> None:
        for way in self.ways():
            with self.subTest(way=way.name):
                told = self.good(
                    way,
                    way.command(
                        2, "semantics", "--rounds", "1", "sizes", limit="64K", setup_after="0"
                    ),
                )
                self.assertEqual(told.count("ARTEL_MPI_LIMIT"), 1, told)

    def test_limit_cuts(self) -> None:
        """Less than a communicator wants: its queues are shorter, and it is ours."""
        for way in self.ways():
            with self.subTest(way=way.name):
                words = way.command(
                    2,
                    "semantics",
                    "--rounds",
                    "1",
                    "sizes",
                    limit="2600K",
                    setup_after="0",
                    verbose="on",
                )
                told = self.good(way, words)
                self.assertIn("2 ranks on 1 node", told)
                self.assertRegex(told, r"cut to ARTEL_MPI_LIMIT: queues of \d+ KiB")


class PeersFailures(Peers, Failures):
    pass


if __name__ == "__main__":
    unittest.main(verbosity=2)
