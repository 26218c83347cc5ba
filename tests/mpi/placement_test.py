#!/usr/bin/env python3
"""On machines with several NUMA nodes the queues of each rank lie on its own node.

ARTEL_TEST_NUMA_VM: a command that runs another one on a machine with several NUMA nodes
(`COMMAND --nodes N --cpus-per-node M -- PROGRAM...`, root there); without it the tests are
skipped."""
from __future__ import annotations

import json
import os
import shlex
import subprocess
import unittest

from job_case import Job
from jobs import LIBDIR


class Placement(Job):
    def test_queues_lie_on_their_nodes(self) -> None:
        tool = os.environ.get("ARTEL_TEST_NUMA_VM")
        if not tool:
            self.skipTest(
                "ARTEL_TEST_NUMA_VM names no command that runs programs on a machine with several"
                " NUMA nodes"
            )
        artel = LIBDIR.parent / "bin" / "artel"
        for nodes in (2, 4):
            words = [
                *shlex.split(tool),
                "--nodes",
                str(nodes),
                "--cpus-per-node",
                "2",
                "--",
                str(artel),
                "mpi",
                "check",
                "--all",
                "-n",
                "4",
                "--directory",
                "/tmp",
                "--json",
            ]
            done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
            for found in json.loads(done.stdout):
                with self.subTest(nodes=nodes, memory=found["memory"], how=found["how"]):
                    if found["how"] == "all by rank 0":
                        continue  # the bad example
                    if found["how"] == "laid wrong, not looked at":
                        # So that the other one has something to move.
                        for rank in found["ranks"]:
                            self.assertEqual(rank["at_home"], 0, found)
                        continue
                    self.assertEqual(len({rank["node"] for rank in found["ranks"]}), nodes)
                    for rank in found["ranks"]:
                        self.assertEqual(rank["at_home"], rank["pages"], found)
            self.assertNotIn("artel:", done.stderr)

    def test_pages_come_home(self) -> None:
        """The unit tests on machines with several nodes, and what ranks are told that are not
        bound."""
        tool = shlex.split(os.environ.get("ARTEL_TEST_NUMA_VM", ""))
        if not tool:
            self.skipTest(
                "ARTEL_TEST_NUMA_VM names no command that runs programs on a machine with several"
                " NUMA nodes"
            )
        for nodes in (2, 4):
            vm = [*tool, "--nodes", str(nodes), "--cpus-per-node", "1", "--"]
            done = subprocess.run(
                [
                    *vm,
                    str(LIBDIR.parent / "bin" / "artel_mpi_tests"),
                    "--gtest_filter=Placement.*:Identity.*",
                ],
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
            self.assertRegex(done.stdout, r"\[ +OK \] Placement.StraysComeHome")
            done = subprocess.run(
                [*vm, str(LIBDIR.parent / "bin" / "artel"), "mpi", "check", "-n", "3", "--unbound"],
                capture_output=True,
                text=True,
                timeout=600,
                check=False,
            )
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
            self.assertEqual(done.stderr.count("bind them"), 1, done.stderr)
            self.assertIn("3 of 3 ranks", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
