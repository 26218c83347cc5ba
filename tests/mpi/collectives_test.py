#!/usr/bin/env python3
"""The collectives that compute or gather: reductions, allgathers and barriers, alone and in
turns with broadcasts."""
from __future__ import annotations

import unittest

from job_case import Job, Peers


class Reductions(Job):
    """MPI_Reduce and MPI_Allreduce: every type and operation, the order of evaluation, and each way
    that messages can go."""

    def test_defaults(self) -> None:
        for way in self.ways():
            for ranks in (1, 2, 3, 4):
                with self.subTest(way=way.name, ranks=ranks):
                    self.good(way, way.command(ranks, "reductions"))

    def test_ways_of_messages(self) -> None:
        for way in self.ways():
            for settings in (
                dict(whole="1"),
                dict(whole="1", piece="4K"),
                dict(whole="1G", piece="4K"),
                dict(memory="/dev/shm", stream="2K"),
                dict(allreduce="off"),
                dict(spins="1"),
            ):
                with self.subTest(way=way.name, **settings):
                    self.good(
                        way,
                        way.command(
                            3, "reductions", "own_operations", "ahead", setup_after="0", **settings
                        ),
                    )

    def test_order_of_evaluation(self) -> None:
        for way in self.ways():
            for ranks in (2, 3, 5):
                with self.subTest(way=way.name, ranks=ranks):
                    self.good(way, way.command(ranks, "reductions", "order"))


class Together(Job):
    """MPI_Allgather and MPI_Barrier, and all collectives in turns."""

    def test_defaults(self) -> None:
        for way in self.ways():
            for ranks in (1, 2, 3, 4):
                with self.subTest(way=way.name, ranks=ranks):
                    self.good(way, way.command(ranks, "together"))

    def test_ways_of_messages(self) -> None:
        for way in self.ways():
            for settings in (
                dict(piece="4K", whole="1", stream="2K"),
                dict(spins="1"),
                dict(barrier="off", bcast="off"),
                dict(allgather="off"),
            ):
                with self.subTest(way=way.name, **settings):
                    self.good(
                        way,
                        way.command(
                            3,
                            "together",
                            "gathers",
                            "layouts",
                            "barriers",
                            "mixed",
                            setup_after="0",
                            **settings,
                        ),
                    )

    def test_counts_that_differ(self) -> None:
        """The ranks receive as many bytes in elements of other sizes."""
        for way in self.ways():
            with self.subTest(way=way.name):
                self.good(way, way.command(2, "together", "counts_differ", setup_after="0"))


class PeersReductions(Peers, Reductions):
    pass


class PeersTogether(Peers, Together):
    pass


if __name__ == "__main__":
    unittest.main(verbosity=2)
