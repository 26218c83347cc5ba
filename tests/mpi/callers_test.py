#!/usr/bin/env python3
"""Callers that are not one thread of a C program with ordinary memory: several threads of a
rank, Fortran, memory of devices."""
from __future__ import annotations

import unittest

from job_case import Job, Peers


class Threads(Job):
    def test_own_communicators(self) -> None:
        """MPI_THREAD_MULTIPLE: several threads of each rank, each on communicators of its own."""
        for way in self.ways():
            for ranks, threads in ((2, 3), (3, 2), (4, 4)):
                with self.subTest(way=way.name, ranks=ranks, threads=threads):
                    self.good(way, way.command(ranks, "threads", str(threads)))

    def test_first_thread_has_ended(self) -> None:
        """Of a process that goes on by other threads: it is neither dead nor out of reach."""
        for way in self.ways():
            if way.mpi.abi != "openmpi":
                continue  # MPICH 4.0's MPI_Init fails in such a process by itself
            for early, settings in (
                ((), {}),
                ((), dict(direct="1", queue="16K")),
                (("early",), {}),
            ):
                with self.subTest(way=way.name, early=early, **settings):
                    told = self.good(
                        way, way.command(3, "first_thread", *early, verbose="on", **settings)
                    )
                    self.assertIn("3 ranks on 1 node", told)

    def test_after_main(self) -> None:
        """Communicators that are set up when static objects have gone."""
        for way in self.ways():
            if way.mpi.name.startswith("mpich5"):
                # Its launcher kills ranks that end so, one job in three, also without ours.
                continue
            for settings in ({}, dict(direct="auto")):
                with self.subTest(way=way.name, **settings):
                    self.good(way, way.command(4, "at_exit", **settings))


class Languages(Job):
    def test_fortran(self) -> None:
        """By mpif.h, the mpi module and mpi_f08; told by the set-up that ours was called."""
        found = [way for way in self.ways() if way.program("fortran_f08").exists()]
        if not found:
            self.skipTest("no Fortran compiler for an MPI is installed")
        for way in found:
            for interface in ("mpif", "module", "f08"):
                with self.subTest(way=way.name, interface=interface):
                    told = self.good(way, way.command(3, f"fortran_{interface}", verbose="on"))
                    self.assertIn("3 ranks on 1 node", told)


class Devices(Job):
    def test_memory_that_only_the_library_may_touch(self) -> None:
        for way in self.ways():
            if way.form == "component":
                continue  # the convertor is Open MPI's own, which knows devices without us
            for ranks in (2, 3):
                with self.subTest(way=way.name, ranks=ranks):
                    self.good(way, way.command(ranks, "devices", setup_after="0"))


class PeersThreads(Peers, Threads):
    pass


class PeersDevices(Peers, Devices):
    pass


if __name__ == "__main__":
    unittest.main(verbosity=2)
