#!/usr/bin/env python3
"""Jobs on several nodes, which one machine plays: by host names, and by hosts of its own
network, name and /dev/shm."""
from __future__ import annotations

import re
import subprocess
import unittest

from job_case import Job, Peers
from jobs import HERE, ways


class Nodes(Job):
    """Several nodes, as far as our set-up can tell: ranks with different host names. The library's
    own messages stay on one machine."""

    shapes = ((4, 2, 2), (5, 2, 3))  # ranks, per host, hosts

    def setUp(self) -> None:
        if (
            subprocess.run(
                ["unshare", "--uts", "true"], capture_output=True, check=False
            ).returncode
            != 0
        ):
            self.skipTest("no right to make a UTS namespace")
        super().setUp()

    def test_two_nodes(self) -> None:
        for way in self.ways():
            for ranks, per_host, nodes in self.shapes:
                with self.subTest(way=way.name, ranks=ranks, per_host=per_host):
                    words = way.command(
                        ranks,
                        "semantics",
                        "--rounds",
                        "1",
                        "sizes",
                        "layouts",
                        "structures",
                        "communicators",
                        "zero",
                        before=(str(HERE / "as_host"), str(per_host)),
                        verbose="on",
                    )
                    self.assertIn(f"{ranks} ranks on {nodes} nodes", self.good(way, words, 200))
                    for program in (("reductions", "--library-too"), ("together",)):
                        self.good(
                            way,
                            way.command(
                                ranks,
                                *program,
                                before=(str(HERE / "as_host"), str(per_host)),
                                setup_after="0",
                            ),
                            200,
                        )

    def test_returned_errors(self) -> None:
        """A rank that is told of a mistake does what the other nodes wait for."""
        for way in self.ways():
            if way.mpi.name == "intel-abi":
                continue  # MPI_Comm_call_errhandler ends the program, also without ours
            # With more nodes Open MPI's own broadcast hangs where a rank between others gets too
            # much.
            with self.subTest(way=way.name):
                self.good(
                    way,
                    way.command(
                        4,
                        "edges",
                        "leader_differs",
                        before=(str(HERE / "as_host"), "2"),
                        setup_after="0",
                    ),
                )


class LargerNodes(Nodes):
    shapes = ((6, 3, 2),)


class PeersNodes(Peers, Nodes):
    shapes = Nodes.shapes + LargerNodes.shapes


class Hosts(Job):
    """Two hosts with network, name and /dev/shm of their own, as far as one machine can play them;
    every MPI, ours inside each host."""

    ways = staticmethod(ways)
    cases = ("sizes", "layouts", "structures", "communicators", "zero")

    def setUp(self) -> None:
        made = subprocess.run(
            [str(HERE / "hosts"), "true"], capture_output=True, text=True, check=False
        )
        if made.returncode != 0:
            self.skipTest(f"two hosts cannot be made here: {made.stderr.strip()}")
        super().setUp()

    def assert_ours_inside_both(self, told: str, each: int, ranks: int) -> None:
        """Every broadcast among all ranks went through shared memory on both hosts. `told` is what
        a job said with verbose=on."""
        found = {"host0": 0, "host1": 0}
        for host, count in re.findall(
            (
                rf"artel: (host[01]): (\d+) broadcasts through shared memory among {each} of"
                rf" {ranks} ranks"
            ),
            told,
        ):
            found[host] += int(count)
        self.assertGreater(found["host0"], 0, told)
        self.assertEqual(found["host0"], found["host1"], told)

    def test_broadcast_over_both(self) -> None:
        for way in self.ways():
            for each in (2, 3):
                with self.subTest(way=way.name, each=each):
                    # MPICH 4.0.2 with UCX 1.13 mostly hangs in MPI_Finalize when ranks of different
                    # hosts have hardly met, also without ours.
                    leave = ["--leave"] if way.mpi.name == "mpich" else []
                    told = self.good(
                        way,
                        way.command_over_hosts(
                            each, "semantics", "--rounds", "1", *leave, *self.cases, verbose="on"
                        ),
                        200,
                    )
                    self.assertIn(f"{2 * each} ranks on 2 nodes, {each} here", told)
                    self.assert_ours_inside_both(told, each, 2 * each)

    def test_below_han(self) -> None:
        """Open MPI's coll/han divides the communicator, and has ours do the part inside each
        node."""
        for way in self.ways():
            if way.form != "component":
                continue
            # HAN asks for "tuned" or "sm" by name inside nodes; where it asks for sm and there is
            # none, whoever has the highest priority does it.
            words = (
                "--mca",
                "coll_han_priority",
                "100",
                "--mca",
                "coll",
                "^sm",
                "--mca",
                "coll_han_bcast_low_module",
                "1",
            )
            for each in (2, 3):
                with self.subTest(way=way.name, each=each):
                    told = self.good(
                        way,
                        way.command_over_hosts(
                            each,
                            "semantics",
                            "--rounds",
                            "1",
                            *self.cases,
                            words=words,
                            verbose="on",
                        ),
                        200,
                    )
                    # Other collectives among all are ours there, and use some.
                    among_all = re.findall(
                        (
                            rf"artel: host0: (\d+) broadcasts through shared memory among {each} of"
                            rf" {2 * each} ranks"
                        ),
                        told,
                    )
                    inside = re.findall(
                        (
                            rf"artel: host0: (\d+) broadcasts through shared memory among {each} of"
                            rf" {each} ranks"
                        ),
                        told,
                    )
                    self.assertGreater(sum(map(int, inside)), sum(map(int, among_all)), told)
                    self.assert_ours_inside_both(told, each, each)

    def test_above_han(self) -> None:
        """coll/han below ours: where it finds one rank per node it takes itself out, and calls the
        communicator's broadcast again, which is ours."""
        for way in self.ways():
            if way.form != "component":
                continue
            words = way.command_over_hosts(
                2,
                "semantics",
                "--rounds",
                "1",
                "sizes",
                "communicators",
                words=("--mca", "coll_han_priority", "50"),
                verbose="on",
            )
            with self.subTest(way=way.name):
                self.assert_ours_inside_both(self.good(way, words, 200), 2, 4)


if __name__ == "__main__":
    unittest.main(verbosity=2)
