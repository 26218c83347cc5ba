#!/usr/bin/env python3
"""What MPI promises of broadcasts, of communicators and of how ours comes into a program."""
from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from job_case import Job, Peers
from jobs import HERE, LIBDIR, preloading, run


class Semantics(Job):
    """Few ranks, everything once, with the defaults and with each way that messages can go."""

    def test_defaults(self) -> None:
        for way in self.ways():
            for ranks in (1, 2, 3, 4):
                with self.subTest(way=way.name, ranks=ranks):
                    told = self.good(
                        way, way.command(ranks, "semantics", "--rounds", "1", verbose="on")
                    )
                    if ranks > 1:
                        self.assertIn(f"{ranks} ranks on 1 node", told)

    def test_ways_of_messages(self) -> None:
        cases = ("sizes", "layouts", "structures", "many_small")
        for way in self.ways():
            for settings in (
                dict(inline="0", direct="0"),
                dict(inline="4096"),
                dict(direct="1"),
                dict(protocol="paper"),
                dict(queue="16K", slots="8", direct="0", tree="chain"),
                dict(memory="/dev/shm", tree="knomial"),
            ):
                with self.subTest(way=way.name, **settings):
                    self.good(
                        way,
                        way.command(
                            3, "semantics", "--rounds", "1", *cases, setup_after="0", **settings
                        ),
                    )

    def test_large_elements(self) -> None:
        for way in self.ways():
            with self.subTest(way=way.name):
                words = ("semantics", "--rounds", "1", "large_elements")
                self.good(way, way.command(2, *words, setup_after="0"))

    def test_measured_direct_copies(self) -> None:
        """ARTEL_MPI_DIRECT=auto: where direct copies begin is measured once for each number of
        ranks, and agreed on."""
        for way in self.ways():
            with self.subTest(way=way.name):
                told = self.good(
                    way,
                    way.command(
                        3,
                        "semantics",
                        "--rounds",
                        "1",
                        "sizes",
                        "communicators",
                        direct="auto",
                        setup_after="0",
                        verbose="on",
                    ),
                )
                found = re.findall(
                    (
                        r"communicator of 3: .*; direct copies (not used|from \d+ bytes on), as"
                        r" measured"
                    ),
                    told,
                )
                self.assertGreater(len(found), 1, told)
                self.assertEqual(len(set(found)), 1, told)

    def test_preloaded_into_other_programs(self) -> None:
        """Launchers and shells on the way to the program get the shim too, and have no MPI."""
        for shim in sorted(LIBDIR.glob("libartel-mpi-*.so")):
            for binding in ({}, {"LD_BIND_NOW": "1"}):
                with self.subTest(shim=shim.name, binding=binding):
                    done = subprocess.run(
                        ["true"],
                        env={**os.environ, **preloading(str(shim)), **binding},
                        capture_output=True,
                        text=True,
                        check=False,
                    )
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_shim_of_another_interface(self) -> None:
        """One line says what is wrong, before a handle is taken for what it is not."""
        for way in self.ways():
            for abi in {"openmpi", "mpich", "abi"} - {way.mpi.abi}:
                shim = LIBDIR / f"libartel-mpi-{abi}.so"
                if (
                    way.form == "component"
                    or not shim.exists()
                    or "openmpi" not in (abi, way.mpi.abi)
                ):
                    continue
                with self.subTest(way=way.name, shim=abi):
                    program = [str(way.program("edges")), "delete_functions"]
                    done = run(
                        way.mpi.job(2, program, preloading(str(shim))), way.mpi.environment, 100
                    )
                    if abi == "openmpi":
                        self.assertEqual(done.returncode, 0, done.stderr)
                        self.assertIn("is for Open MPI and not used", done.stderr)
                    else:
                        self.assertNotEqual(done.returncode, 0)
                        self.assertIn("preloaded is libartel-mpi-openmpi.so", done.stderr)

    def test_loaded_by_an_interpreter(self) -> None:
        """The program loads the MPI library after the shim, and for a module of its own only, as
        Python does."""
        call = "import ctypes, sys; sys.exit(ctypes.CDLL(sys.argv[1]).main_of_plugin())"
        for way in self.ways():
            if way.form == "component":
                continue  # Open MPI loads it
            with self.subTest(way=way.name), tempfile.TemporaryDirectory() as folder:
                module = pathlib.Path(folder) / "plugin.so"
                subprocess.run(
                    way.mpi.compile(HERE / "plugin.c", module, "-shared", "-fPIC"),
                    env={**os.environ, **way.mpi.environment},
                    check=True,
                )
                variables = {**preloading(str(way.library())), "ARTEL_MPI_VERBOSE": "on"}
                told = self.good(
                    way, way.mpi.job(2, [sys.executable, "-c", call, str(module)], variables)
                )
                self.assertIn(
                    "preload both" if way.mpi.abi == "openmpi" else "2 ranks on 1 node", told
                )

    def test_many_communicators(self) -> None:
        for way in self.ways():
            with self.subTest(way=way.name):
                told = self.good(
                    way,
                    way.command(
                        2,
                        "semantics",
                        "--rounds",
                        "1",
                        "many_communicators",
                        setup_after="2",
                        verbose="on",
                    ),
                )
                # A rank that another NUMA node's CPU carries at that moment does not offer what it
                # has.
                self.assertGreater(told.count("kept from an earlier communicator"), 250)

    def test_edges(self) -> None:
        for way in self.ways():
            with self.subTest(way=way.name):
                self.good(
                    way,
                    way.command(
                        4,
                        "edges",
                        "copied_attribute",
                        "large_counts",
                        "delete_functions",
                        "fortran_logic",
                        "finalize_functions",
                    ),
                )


class PeersSemantics(Peers, Semantics):
    pass


if __name__ == "__main__":
    unittest.main(verbosity=2)
