"""Runs collective.c under each peer in turn, and collects its results until all have their
repeats."""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable

import mpis

HERE = pathlib.Path(__file__).resolve().parent
TRIES = 6  # jobs for each repeat that --near asks for, at most


def run_once(
    peer: dict,
    binary: pathlib.Path,
    ranks: int,
    operation: str,
    sizes: list[int],
    options: argparse.Namespace,
) -> list[dict]:
    """One job; its lines of results, none when it failed."""
    program = [
        str(binary),
        operation,
        *map(str, sizes),
        "--off-cache",
        str(options.off_cache),
        "--calls",
        str(options.calls),
    ]
    if options.rotate:
        program.append("--rotate")
    mpi = peer["mpi"]
    words = mpi.job(
        ranks, program, peer["env"], peer["words"], bound=ranks <= (os.cpu_count() or 1)
    )
    return [json.loads(line) for line in mpi.output(words).splitlines() if line.startswith("{")]


class Samples:
    """The results of all peers' jobs for one operation and number of ranks."""

    def __init__(self, names: list[str], sizes: list[int], options: argparse.Namespace) -> None:
        self.sizes, self.options = sizes, options
        self.lines: dict[tuple[str, int], list[dict]] = {
            (name, size): [] for name in names for size in sizes
        }
        self.turned_away = 0
        self.picky = options.near is not None or options.far > 0

    def missing(self, name: str, repeats: int) -> list[int]:
        """Sizes for which this peer has fewer results than that."""
        return [size for size in self.sizes if len(self.lines[name, size]) < repeats]

    def add(self, name: str, lines: list[dict]) -> None:
        for line in lines:
            if (self.options.near is None or line["round_trip_ns"] <= self.options.near) and line[
                "round_trip_ns"
            ] >= self.options.far:
                self.lines[name, line["bytes"]].append(line)
            else:
                self.turned_away += 1

    def collect(self, job: Callable[[str, list[int]], list[dict]], what: str) -> None:
        """Runs job(peer, sizes) for each peer in turn until all have their repeats, or have been
        tried often enough."""
        repeats, names = self.options.rounds, list(dict.fromkeys(name for name, _ in self.lines))
        for turn in range(repeats * (TRIES if self.picky else 1)):
            # Without a limit every peer gets one job per turn, also one whose jobs fail.
            wanted = repeats if self.picky else turn + 1
            for name in mpis.in_turn(names, turn):
                if sizes := self.missing(name, wanted):
                    self.add(name, job(name, sizes))
            print(f"{what}, turn {turn + 1}", file=sys.stderr)
            if not any(self.missing(name, repeats) for name in names):
                break

    def rows(self, operation: str, ranks: int) -> list[dict]:
        found = []
        for (name, size), lines in self.lines.items():
            if not lines:
                continue
            row = {
                "peer": name,
                "operation": operation,
                "ranks": ranks,
                "bytes": size,
                "repeats": len(lines),
            }
            for key in ("rate_us", "completion_us", "cpu_us", "round_trip_ns"):
                row[key] = statistics.median(line[key] for line in lines)
            row["rate_min_us"] = min(line["rate_min_us"] for line in lines)
            row["completion_min_us"] = min(line["completion_min_us"] for line in lines)
            found.append(row)
        return found


def measure(options: argparse.Namespace, chosen: dict[str, dict]) -> list[dict]:
    results = []
    names = list(chosen)
    with tempfile.TemporaryDirectory() as folder:
        binaries = {}
        for mpi in {p["mpi"].name: p["mpi"] for p in chosen.values()}.values():
            binaries[mpi.name] = pathlib.Path(folder) / f"collective.{mpi.name}"
            subprocess.run(
                mpi.compile(HERE / "collective.c", binaries[mpi.name]),
                env={**os.environ, **mpi.environment},
                check=True,
            )
        for ranks, operation in (
            (ranks, operation) for ranks in options.ranks for operation in options.operation
        ):
            samples = Samples(names, [0] if operation == "barrier" else options.sizes, options)
            interrupted = False
            try:
                samples.collect(
                    lambda name, sizes: run_once(
                        chosen[name],
                        binaries[chosen[name]["mpi"].name],
                        ranks,
                        operation,
                        sizes,
                        options,
                    ),
                    f"{operation}, {ranks} ranks",
                )
            except KeyboardInterrupt:
                interrupted = True  # the results so far are kept
            if samples.turned_away:
                print(
                    f"{operation}, {ranks} ranks: {samples.turned_away} measurements turned away",
                    file=sys.stderr,
                )
            results += samples.rows(operation, ranks)
            if interrupted:
                break
    return results


def print_table(results: list[dict]) -> None:
    print(
        f"{'operation':<10} {'ranks':>5} {'bytes':>9} "
        f" {'peer':<24} {'rate us':>10} {'(min)':>10} {'completion':>11} {'cpu us':>10}"
    )
    for r in sorted(
        results, key=lambda row: (row["operation"], row["ranks"], row["bytes"], row["rate_us"])
    ):
        print(
            f"{r['operation']:<10} {r['ranks']:>5} {r['bytes']:>9} "
            f" {r['peer']:<24} {r['rate_us']:>10.3f} {r['rate_min_us']:>10.3f} "
            f"{r['completion_us']:>11.2f} {r['cpu_us']:>10.2f}"
        )
