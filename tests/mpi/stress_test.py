#!/usr/bin/env python3
"""Many ranks, much data, many jobs on a busy machine.

ARTEL_TEST_SOAK_JOBS: jobs of the soak (default 60); ARTEL_TEST_SOAK_SECONDS: after so long no more
are begun; ARTEL_TEST_SOAK_SEED: another row of them."""
from __future__ import annotations

import os
import random
import subprocess
import sys
import time
import unittest

import jobs
from job_case import Job
from jobs import ways


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
        jobs, seconds = int(os.environ.get("ARTEL_TEST_SOAK_JOBS", "60")), float(
            os.environ.get("ARTEL_TEST_SOAK_SECONDS", "inf")
        )
        # Ends with its parent, also when that is killed.
        spin = f"import os\nwhile os.getppid() == {os.getpid()}: sum(range(10000))"
        load = [subprocess.Popen([sys.executable, "-c", spin]) for _ in range(os.cpu_count() or 1)]
        start = time.monotonic()
        try:
            rng = random.Random(int(os.environ.get("ARTEL_TEST_SOAK_SEED", "5")))
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


if __name__ == "__main__":
    unittest.main(verbosity=2)
