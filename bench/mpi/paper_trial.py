"""Runs `artel mpi trial` for the paper's experiments: the paper's protocol with given queues and
trees, among processes of the tool, no MPI needed."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess

import paper_model as model

OFF_CACHE = 20 << 20  # the paper's -off_cache 20,64
TREES = {
    "flat": ("flat", 1),
    "chain": ("chain", 1),
    "2-ary": ("kary", 2),
    "3-ary": ("kary", 3),
    "4-ary": ("kary", 4),
    "2-nomial": ("knomial", 2),
    "3-nomial": ("knomial", 3),
    "4-nomial": ("knomial", 4),
}


class Failed(Exception):
    """A part of the experiment was not possible; the text says why."""


@dataclasses.dataclass
class Bench:
    """The settings of all experiments."""

    tool: pathlib.Path
    as_paper: bool = False  # with the paper's ranks and messages, whatever the machine
    ranks: int | None = None  # given by the user
    sizes: list[int] | None = None
    runs: int = 5
    calls: int = 0

    def ranks_for(self, paper: int, least: int = 2) -> int:
        """The paper's number if that was asked for, else as many ranks as this machine has CPUs
        for."""
        if self.ranks is not None:
            return self.ranks
        return paper if self.as_paper else max(least, min(paper, os.cpu_count() or 1))

    def sizes_for(self, paper: list[int], here: list[int]) -> list[int]:
        return self.sizes or (paper if self.as_paper else here)

    def artel(self, *words: str, **settings: str):
        """What `artel mpi` prints as JSON, with these settings in the environment."""
        variables = {f"ARTEL_MPI_{name.upper()}": value for name, value in settings.items()}
        done = subprocess.run(
            [str(self.tool), "mpi", *words],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise Failed(
                done.stderr.strip() or f"artel mpi {' '.join(words)} ended with {done.returncode}"
            )
        return json.loads(done.stdout)

    def trial(self, ranks: int, cases: list[str], *words: str) -> list[dict]:
        calls = ("--calls", str(self.calls)) if self.calls else ()
        return self.artel(
            "trial",
            "-n",
            str(ranks),
            "--rounds",
            str(self.runs),
            "--off-cache",
            str(OFF_CACHE),
            *calls,
            "--json",
            *words,
            *cases,
        )["cases"]


def case(message: int, fragment: int, length: int, tree: str = "flat", sets: int = 1) -> str:
    kind, k = TREES[tree]
    return (
        f"bytes={message},protocol=paper,fragment={fragment},length={length},sets={sets},"
        f"tree={kind},k={k}"
    )


def times_of(row: dict) -> model.Times:
    """What the trial measured of this machine, in microseconds."""
    t = row["times"]
    return model.Times(
        *(t[f"{name}_ns"] / 1000 for name in ("per_byte", "set_wait", "atomic", "notify"))
    )
