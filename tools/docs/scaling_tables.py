"""Tables of a machine with 16 CPUs: runs on all of them, and on two for the goals of teams of two.
Pure functions of kept runs."""
from figures import figures, run
from layout import table
from openmp_tables import BASIC, CONSTRUCTS, FLOOR
from harness import ratios
from harness.statistics import significant
import mpi_tables

DAY = "2026-11-27"
COLUMNS = ["artel", "artel (clang)", "libgomp", "libomp", "libiomp5"]


def openmp():
    return figures(
        f"openmp-16cpu-{DAY}.json",
        [
            ("openmp.nested@8", "nested 8×8 loops of 3 µs items"),
            ("openmp.nested-one@8", "one of eight meets an inner region, the others wait"),
            ("openmp.region@16", "empty region, 16 threads"),
            ("openmp.barrier@16", "barrier, 16 threads"),
            ("openmp.task@16", "task (fib), 16 threads"),
        ],
        COLUMNS,
    )


def overheads():
    return figures(
        f"openmp-overheads-16cpu-{DAY}.json",
        [(f"overheads.{key}@16", title) for key, title in CONSTRUCTS],
        COLUMNS,
    )


def starts():
    return figures(
        f"cpp-16cpu-{DAY}.json",
        [("cpp.loop-start@16", "all 16 workers at work")],
        ["artel", "libgomp", "tbb-debian", "tbb-pypi", "rayon", "eigen", "taskflow", "threads"],
    )


def openmp_of_two():
    return figures(f"openmp-2of16cpu-{DAY}.json", [*BASIC, FLOOR], COLUMNS)


def standings(*names):
    """The default loop beside the best competitor, by size."""
    rows = [
        [
            each.benchmark,
            f"{each.mean:.2f}",
            "–" if each.fair is None else f"{each.fair:.2f}",
            f"{each.worst.ratio:.2f}",
            each.worst.name,
        ]
        for name in names
        for each in ratios.standings(run(name))
    ]
    return table(["benchmark", "mean", "fair mean", "worst size", "best there"], rows)


def loops():
    return standings(f"loops-16cpu-{DAY}.json")


def loops_of_two():
    return standings(
        *(f"loops-{name}-2of16cpu-{DAY}.json" for name in ("rows", "blocks", "spmv", "scan"))
    )


def first_regions():
    return figures(
        f"beginnings-first-2of16cpu-{DAY}.json",
        [(f"beginnings.first@{n}", f"first region, {n} members") for n in (2, 8, 16, 64)],
        COLUMNS,
    )


def beginnings():
    return figures(
        f"beginnings-2of16cpu-{DAY}.json",
        [
            *((f"beginnings.members-10000us@{n}", f"{n} members of 10 ms each") for n in (8, 16)),
            *((f"beginnings.zsymm-300@{n}", f"{n} calls of zsymm, m = 300") for n in (8, 16)),
        ],
        COLUMNS,
    )


def of_ranks():
    """Ours at its best and the best peer, by ranks and bytes; a broadcast."""
    found = [r for r in mpi_tables.records(f"mpi-16cpu-{DAY}.json") if r["run"] == "peers"]
    rows = []
    for ranks, size in sorted({(r["ranks"], r["bytes"]) for r in found}):
        here = [r for r in found if (r["ranks"], r["bytes"]) == (ranks, size)]
        cells = [str(ranks), mpi_tables.bytes_text(size)]
        for key in ("rate_us", "completion_us"):
            ours, theirs = (
                min((r for r in here if r["peer"].startswith("Artel") == own), key=lambda r: r[key])
                for own in (True, False)
            )
            ahead = ours[key] <= theirs[key]
            cells += [
                f"{mpi_tables.bold(significant(ours[key]), ahead)} ({ours['peer']})",
                f"{mpi_tables.bold(significant(theirs[key]), not ahead)} ({theirs['peer']})",
            ]
        rows.append(cells)
    return table(
        ["ranks", "bytes", "ours, rate µs", "best peer", "ours, one call µs", "best peer"], rows
    )


def trees():
    """The default tree beside fixed ones: time of one call, in brackets of calls in a row."""
    found = [r for r in mpi_tables.records(f"mpi-16cpu-{DAY}.json") if r["run"] == "tree"]
    names = list(dict.fromkeys(r["peer"] for r in found))
    rows = []
    for ranks, size in sorted({(r["ranks"], r["bytes"]) for r in found}):
        here = {r["peer"]: r for r in found if (r["ranks"], r["bytes"]) == (ranks, size)}
        least = min(r["completion_us"] for r in here.values())
        rows.append(
            [
                str(ranks),
                mpi_tables.bytes_text(size),
                *(
                    mpi_tables.bold(significant(r["completion_us"]), r["completion_us"] == least)
                    + f" ({significant(r['rate_us'])})"
                    for r in (here[name] for name in names)
                ),
            ]
        )
    return table(["ranks", "bytes", *names], rows)


TABLES = {
    "openmp-16cpu": openmp,
    "overheads-16cpu": overheads,
    "starts-16cpu": starts,
    "loops-16cpu": loops,
    "openmp-2of16cpu": openmp_of_two,
    "loops-2of16cpu": loops_of_two,
    "first-2of16cpu": first_regions,
    "beginnings-2of16cpu": beginnings,
}
MPI_TABLES = {"mpi-16cpu": of_ranks, "mpi-trees-16cpu": trees}
