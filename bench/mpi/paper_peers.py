"""The paper's figures 12 and 13: its protocol, and ours as it is, beside other MPIs by Intel's
benchmarks, as the paper does: five runs, of whose longest times the least and the greatest do not
count; with a fixed root, and with another root for each call."""
from __future__ import annotations

import pathlib
import statistics
import sys

import imb
import mpis
import paper_shapes as shapes
from paper_records import MESSAGES
from paper_trial import Bench, Failed

SHORTER = [64, 1 << 10, 8 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20]
AS_PAPER = {
    "ARTEL_MPI_PROTOCOL": "paper",
    "ARTEL_MPI_FRAGMENT": "8K",
    "ARTEL_MPI_QUEUE": "512K",
    "ARTEL_MPI_SETS": "1",
    "ARTEL_MPI_TREE": "kary",
    "ARTEL_MPI_K": "2",
    "ARTEL_MPI_SETUP_AFTER": "0",
}


def middle(values: list[float]) -> float:
    """The mean without the least and the greatest; of less than three of all."""
    values = sorted(values)
    return statistics.fmean(values[1:-1] if len(values) >= 3 else values)


def ours(peer: dict, title: str) -> dict[str, dict]:
    """A way to load ours, with the paper's protocol and as it is."""
    return {
        f"{title}, the paper's protocol": {**peer, "env": {**peer["env"], **AS_PAPER}},
        f"{title} as it is": peer,
    }


def measure(ways: dict[str, dict], bench: Bench, ranks: int, sizes: list[int], shift: bool) -> dict:
    """Way -> size -> the middle t_max in µs."""
    found: dict[str, dict[int, list[float]]] = {name: {} for name in ways}
    for turn in range(bench.runs):
        for name in mpis.in_turn(list(ways), turn):
            peer = ways[name]
            for row in imb.run_once(peer, peer["imb"], ranks, "bcast", sizes, 20 << 20, shift):
                found[name].setdefault(row["bytes"], []).append(row["max_us"])
        print(f"IMB, root {'goes round' if shift else 'stays'}, turn {turn + 1}", file=sys.stderr)
    return {
        name: {size: middle(values) for size, values in sorted(by_size.items())}
        for name, by_size in found.items()
    }


def beside(
    bench: Bench, ways: dict[str, dict], bases: list[str], ranks: int, least: float, most: float
) -> tuple[list[dict], shapes.Verdict]:
    """Curves of all ways relative to each base, and whether ours saves as much time."""
    sizes = bench.sizes_for(MESSAGES, SHORTER)
    curves: list[dict] = []
    ratios: dict[bool, dict] = {True: {}, False: {}}  # by whether it is the paper's protocol
    for shift in (False, True):
        found = measure(ways, bench, ranks, sizes, shift)
        panel = f"root {'goes round' if shift else 'stays'}"
        for name, by_size in found.items():
            if name in bases:
                continue
            for base in bases:
                points = [(s, t / found[base][s]) for s, t in by_size.items() if s in found[base]]
                curves.append(
                    {
                        "name": f"{name} / {base}",
                        "of": "here",
                        "panel": panel,
                        "points": [[s, round(r, 4)] for s, r in points],
                    }
                )
                ratios["paper's protocol" in name][f"beside {base}, {panel}"] = points
        span = [sizes[0], sizes[-1]]
        for part in (least, most):
            curves.append(
                {
                    "name": f"the paper: {100 * part:.0f} % less",
                    "of": "paper",
                    "panel": panel,
                    "points": [[s, 1 - part] for s in span],
                }
            )
    return curves, shapes.gain(ratios[True], ratios[False], least, most)


def described(title: str, paper: dict, here: dict, missing: str, curves: list, verdict) -> dict:
    found, sentence = verdict
    return {
        "title": title,
        "paper_parameters": paper,
        "parameters": here,
        "missing": missing,
        "holds": found,
        "sentence": " ".join(filter(None, (missing, sentence))),
        "x": "bytes of the message",
        "y": "times of the peer",
        "curves": curves,
    }


def figure12(bench: Bench, chosen: dict[str, dict], peers: pathlib.Path, options) -> dict:
    """MVAPICH, and where there is none MPICH's and Intel MPI's shared-memory broadcasts."""
    program = imb.program(peers)
    bases = {}
    if options.mvapich:
        at = options.mvapich / "bin"
        mpi = mpis.Mpi("mvapich", "mpich", str(at / "mpirun"), str(at / "mpicc"), {})
        bases["MVAPICH"] = {"mpi": mpi, "words": (), "env": {}, "imb": program}
    else:
        for name, peer in chosen.items():
            if name in ("mpich5 release_gather", "intel shm") and imb.runs_on(peer):
                bases[name] = {**peer, "imb": program}
    shim = next((p for n, p in chosen.items() if n == "Artel shim, mpich5"), None)
    if not program.exists() or not bases or shim is None:
        raise Failed("this needs IMB-MPI1 and MPICH 5 from PyPI (bench/mpi/install-peers)")
    missing = "" if options.mvapich else "MVAPICH is missing (no package has it; --mvapich FOLDER)."
    ranks = bench.ranks_for(8)
    ways = {**bases, **ours({**shim, "imb": program}, "ours")}
    curves, verdict = beside(bench, ways, list(bases), ranks, 0.2, 0.4)
    return described(
        "Beside MVAPICH",
        {"f": 8192, "s": 64, "q": 1, "tree": "2-ary", "ranks": 8, "MVAPICH": "f = 8192, s = 128"},
        {"f": 8192, "s": 64, "q": 1, "tree": "2-ary", "ranks": ranks, "peers": list(bases)},
        missing,
        curves,
        verdict,
    )


def figure13(bench: Bench, chosen: dict[str, dict], peers: pathlib.Path, options) -> dict:
    """Open MPI's coll/sm, by an IMB built for Open MPI."""
    program = options.imb_openmpi or peers / "openmpi-imb/IMB-MPI1"
    base = chosen.get("openmpi sm")
    component = chosen.get("Artel component, openmpi")
    if base is None or component is None:
        raise Failed("this needs Debian's Open MPI and our component for it")
    if not program.exists():
        raise Failed(
            f"there is no {program}: build github.com/intel/mpi-benchmarks with "
            "make IMB-MPI1 CC=mpicc.openmpi CXX=mpicxx.openmpi, and name it by --imb-openmpi"
        )
    ranks = bench.ranks_for(16)
    # The settings of coll/sm in the paper, whatever the defaults are.
    words = ("--mca", "coll_sm_fragment_size", "8192", "--mca", "coll_sm_comm_num_segments", "8")
    sm = {**base, "words": (*base["words"], *words), "imb": program}
    ways = {"coll/sm": sm, **ours({**component, "imb": program}, "ours")}
    curves, verdict = beside(bench, ways, ["coll/sm"], ranks, 0.2, 0.6)
    return described(
        "Beside Open MPI's coll/sm",
        {"f": 8192, "s": 64, "q": 1, "tree": "2-ary", "ranks": 16, "coll/sm": "f = 8192, s = 8"},
        {"f": 8192, "s": 64, "q": 1, "tree": "2-ary", "ranks": ranks},
        "",
        curves,
        verdict,
    )
