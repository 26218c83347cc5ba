"""Intel's MPI benchmarks (IMB-MPI1), which PyPI has as a program: a measurement that is independent
of collective.c.

The program was built for MPICH's binary interface under the name of libmpi.so.12, so it runs on
Intel MPI and on MPICH 5 from PyPI, with our shim or without; not on Debian's MPICH, whose library
has another name, nor on Open MPI. As in the paper buffers are off the caches and all ranks meet
between calls (-off_cache, -sync on). They meet in IMB's own barrier, because each rank's clock
starts when it leaves the barrier: a library's barrier that lets the root leave first makes the
operation look shorter. IMB prints the least, longest and mean of the ranks' means; these are
kept."""
from __future__ import annotations

import os
import pathlib
import re
import statistics
import sys

import mpis

NAMES = {
    "bcast": "Bcast",
    "barrier": "Barrier",
    "reduce": "Reduce",
    "allreduce": "Allreduce",
    "allgather": "Allgather",
}
UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def program(peers: pathlib.Path) -> pathlib.Path:
    return peers / "intel/bin/IMB-MPI1"


def runs_on(peer: dict) -> bool:
    """Whether the program finds its library with this MPI."""
    return peer["mpi"].abi == "mpich" and libraries(peer).joinpath("libmpi.so.12").exists()


def libraries(peer: dict) -> pathlib.Path:
    return pathlib.Path(peer["mpi"].launcher).parent.parent / "lib"


def largest_cache() -> int:
    """Bytes of the largest cache of the first CPU, from the kernel; 32 MiB if it does not say."""
    found = []
    for file in pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*/size"):
        if match := re.fullmatch(r"(\d+)([KMG]?)", file.read_text().strip()):
            found.append(int(match[1]) * UNITS.get(match[2], 1))
    return max(found, default=32 << 20)


def parse(output: str, operation: str) -> list[dict]:
    """A row for each line of the table: `#bytes #repetitions t_min t_max t_avg`, a barrier's
    without the bytes."""
    rows, columns = [], 4 if operation == "barrier" else 5
    for line in output.splitlines():
        words = line.split()
        if len(words) != columns or not all(re.fullmatch(r"\d+(\.\d+)?", word) for word in words):
            continue
        least, most, mean = map(float, words[-3:])
        rows.append(
            {
                "bytes": 0 if operation == "barrier" else int(words[0]),
                "calls": int(words[-4]),
                "min_us": least,
                "max_us": most,
                "avg_us": mean,
            }
        )
    return rows


def run_once(
    peer: dict,
    binary: pathlib.Path,
    ranks: int,
    operation: str,
    sizes: list[int],
    off_cache: int,
    root_shift: bool = False,
) -> list[dict]:
    """One job of the benchmark built for this peer's interface; its rows, none when it failed. With
    `root_shift` each call has another root."""
    mpi = peer["mpi"]
    # In MB; at most so many calls, and so many MB in all, of each size. The second size of a pair
    # is that of a cache line.
    words = [
        str(binary),
        NAMES[operation],
        "-npmin",
        str(ranks),
        "-off_cache",
        f"{off_cache / (1 << 20):g},64",
        "-sync",
        "on",
        "-imb_barrier",
        "on",
        "-root_shift",
        "on" if root_shift else "off",
        "-zero_size",
        "off",
        "-iter",
        "1000,800",
        "-time",
        "3",
    ]
    if operation != "barrier":
        # Sizes beyond the second logarithm, 22 unless told, are cut to it.
        words += [
            "-msgsize",
            ",".join(map(str, sizes)),
            "-msglog",
            f"0:{max(max(sizes).bit_length(), 22)}",
            "-mem",
            "4",
        ]
    job = mpi.job(
        ranks,
        words,
        {**({"LD_LIBRARY_PATH": str(libraries(peer))} if runs_on(peer) else {}), **peer["env"]},
        peer["words"],
        bound=ranks <= (os.cpu_count() or 1),
    )
    rows = parse(mpi.output(job), operation)
    if not rows:
        print(f"{' '.join(job)}\ngave no results", file=sys.stderr)
    return rows


def measure(
    chosen: dict[str, dict],
    peers: pathlib.Path,
    ranks: list[int],
    operations: list[str],
    sizes: list[int],
    repeats: int,
    off_cache: int,
) -> list[dict]:
    """All peers in turn, so often; medians of t_max and t_avg over the jobs, and the least t_max.
    When interrupted, the results so far are kept."""
    lines: dict[tuple, list[dict]] = {}
    try:
        for number, operation in (
            (number, operation) for number in ranks for operation in operations
        ):
            for turn in range(repeats):
                for name in mpis.in_turn(list(chosen), turn):
                    for row in run_once(
                        chosen[name], program(peers), number, operation, sizes, off_cache
                    ):
                        lines.setdefault((operation, number, row["bytes"], name), []).append(row)
                print(f"IMB {operation}, {number} ranks, turn {turn + 1}", file=sys.stderr)
    except KeyboardInterrupt:
        pass
    return [
        {
            "operation": operation,
            "ranks": number,
            "bytes": size,
            "peer": name,
            "repeats": len(found),
            "max_us": statistics.median(row["max_us"] for row in found),
            "least_max_us": min(row["max_us"] for row in found),
            "avg_us": statistics.median(row["avg_us"] for row in found),
        }
        for (operation, number, size, name), found in lines.items()
    ]


def print_table(results: list[dict]) -> None:
    print(
        f"{'operation':<10} {'ranks':>5} {'bytes':>9} "
        f" {'peer':<24} {'t_max us':>10} {'(least)':>10} {'t_avg us':>10}"
    )
    for r in sorted(
        results, key=lambda row: (row["operation"], row["ranks"], row["bytes"], row["max_us"])
    ):
        print(
            f"{r['operation']:<10} {r['ranks']:>5} {r['bytes']:>9} "
            f" {r['peer']:<24} {r['max_us']:>10.2f} {r['least_max_us']:>10.2f} {r['avg_us']:>10.2f}"
        )
