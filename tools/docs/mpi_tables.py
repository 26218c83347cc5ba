"""The tables of docs/mpi-performance.md and the short one of docs/performance.md.

Each is made from files of bench/results.
"""

import json

from layout import RESULTS, table
from harness.statistics import significant

OURS = "Artel component, openmpi"
OPERATIONS = ("bcast", "barrier", "reduce", "allreduce", "allgather")
UNITS = ((1 << 20, "Mi"), (1 << 10, "Ki"))


def records(name):
    """The records of an MPI file, as dictionaries."""
    document = json.loads((RESULTS / name).read_text())
    if "fields" in document:
        return [dict(zip(document["fields"], row)) for row in document["results"]]
    return document["results"]


def bytes_text(size):
    """A size as in `2 Ki`; empty for a barrier."""
    for unit, name in UNITS:
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return str(size) if size else ""


def groups(found):
    """(operation, bytes, records of it by peer), in the order of the tables.

    Of several records of one peer the last: the figure was measured again."""
    for operation in OPERATIONS:
        for size in sorted({r["bytes"] for r in found if r["operation"] == operation}):
            yield operation, size, {
                r["peer"]: r for r in found if r["operation"] == operation and r["bytes"] == size
            }


def bold(text, ahead):
    return f"**{text}**" if ahead else text


def least(records_by_peer, key):
    return min(records_by_peer, key=lambda peer: records_by_peer[peer][key])


def against_best(here, key, least_key=None):
    """Two cells: ours and the best peer's with its name; the peer's is bold where it is ahead."""
    peers = {name: r for name, r in here.items() if name != OURS}
    best = least(peers, key)

    def text(r):
        return significant(r[key]) + (f" ({significant(r[least_key])})" if least_key else "")

    return [
        text(here[OURS]),
        f"{best} {bold(text(peers[best]), peers[best][key] < here[OURS][key])}",
    ]


def short():
    rows = []
    for operation, size, here in groups(records("mpi-two-2cpu-2026-11-23.json")):
        rows.append(
            [
                operation,
                f"{size:,}".replace(",", " "),
                *against_best(here, "rate_us"),
                *against_best(here, "completion_us"),
            ]
        )
    return table(
        ["operation", "bytes", "artel, rate µs", "best peer", "artel, first call µs", "best peer"],
        rows,
    )


def two_ranks(found):
    rows = [
        [
            operation,
            bytes_text(size),
            *against_best(here, "rate_us", "rate_min_us"),
            *against_best(here, "completion_us"),
        ]
        for operation, size, here in groups(found)
    ]
    return table(["", "bytes", "Artel component", "best peer", "completion", "best peer"], rows)


def near():
    return two_ranks(records("mpi-two-2cpu-2026-11-23.json"))


def far():
    return two_ranks(records("mpi-far-2cpu-2026-11-23.json"))


def turned_far():
    """An earlier run with CPUs far from each other: broadcasts and allgathers."""
    found = records("mpi-turned-2cpu-2026-11-23.json")
    return two_ranks([r for r in found if r["ranks"] == 2 and r["cpus"] == "far"])


def crowded_table(found):
    """More ranks than CPUs: completion, in brackets the CPU time of all ranks.

    Ours, and the least of the peers'."""
    by_ranks = {
        ranks: {(o, s): here for o, s, here in groups([r for r in found if r["ranks"] == ranks])}
        for ranks in (4, 8)
    }
    rows = []
    for operation, size in by_ranks[4]:
        cells = [operation, bytes_text(size)]
        for ranks in (4, 8):
            here = by_ranks[ranks].get((operation, size), {})
            peers = {name: r for name, r in here.items() if name != OURS}
            if OURS not in here or not peers:
                cells.append("–")
                continue
            ours = here[OURS]
            time, cpu = (min(r[key] for r in peers.values()) for key in ("completion_us", "cpu_us"))
            cells.append(
                f"{significant(ours['completion_us'])} ({significant(ours['cpu_us'])}) / "
                f"{bold(significant(time), time < ours['completion_us'])} "
                f"({bold(significant(cpu), cpu < ours['cpu_us'])})"
            )
        rows.append(cells)
    return table(["", "bytes", "4 ranks", "8 ranks"], rows)


def crowded():
    runs = ("Open MPI, 4 ranks", "Open MPI, 8 ranks")
    return crowded_table(
        [r for r in records("mpi-crowded-2cpu-2026-11-23.json") if r["run"] in runs]
    )


def crowded_again():
    return crowded_table(
        [r for r in records("mpi-crowded-2cpu-2026-11-23.json") if r["run"].startswith("again")]
    )


def crowded_large():
    return crowded_table(records("mpi-crowded-2MiB-2cpu-2026-11-23.json"))


def imb():
    """Ours under Intel MPI and MPICH 5 beside the best algorithm of those libraries."""
    rows = []
    for operation, size, here in groups(records("mpi-imb-2cpu-2026-11-23.json")):
        cells = [operation, bytes_text(size)]
        for library in ("intel", "mpich5"):
            ours = here[f"Artel shim, {library}"]["max_us"]
            theirs = min(
                r["max_us"]
                for name, r in here.items()
                if name == library or name.startswith(library + " ")
            )
            cells += [significant(ours), bold(significant(theirs), theirs < ours)]
        rows.append(cells)
    return table(
        [
            "",
            "bytes",
            "ours under Intel MPI",
            "Intel MPI's best way",
            "ours under MPICH 5.0",
            "MPICH 5.0's best way",
        ],
        rows,
    )


def direct():
    found = records("mpi-direct-2cpu-2026-11-23.json")
    sizes = sorted({r["bytes"] for r in found})
    rows = []
    for way in dict.fromkeys(r["direct"] for r in found):
        here = {r["bytes"]: r for r in found if r["direct"] == way}
        rows.append([way, *(f"{here[s]['rate_us']:g} ({here[s]['rate_min_us']:g})" for s in sizes)])
    return table(["direct copies", *(bytes_text(s) for s in sizes)], rows)


def model():
    found = records("mpi-model-2cpu-2026-11-23.json")
    columns = list(dict.fromkeys((r["cpus"], r["bytes"]) for r in found))
    rows = []
    for fragment in sorted({r["fragment"] for r in found}):
        here = {(r["cpus"], r["bytes"]): r for r in found if r["fragment"] == fragment}
        rows.append(
            [
                f"{bytes_text(fragment)}B",
                *(
                    f"{here[c]['measured_us']:g} / {here[c]['predicted_us']:g}"
                    + ("¹" if here[c]["copy_ns_per_byte_wrong"] else "")
                    for c in columns
                ),
            ]
        )
    return table(["fragment", *(f"{bytes_text(size)}B {cpus}" for cpus, size in columns)], rows)


def paper():
    """Whether the shapes of the broadcast paper's figures hold here, in words."""
    held = {True: "holds", False: "**does not hold**", None: "–"}
    rows = []
    for found in records("mpi-paper-2cpu-2026-11-26.json"):
        words = found["sentence"]
        for verdict in ("The shape holds: ", "The shape does not hold: "):
            words = words.replace(verdict, "")
        name = found["figure"].replace("table1", "table 1")
        rows.append([name, found["title"], held[found["holds"]], words])
    return table(["figure", "what", "shape", "in words"], rows)


TABLES = {
    "mpi-paper": paper,
    "mpi-near": near,
    "mpi-far": far,
    "mpi-turned-far": turned_far,
    "mpi-direct": direct,
    "mpi-crowded": crowded,
    "mpi-crowded-again": crowded_again,
    "mpi-crowded-large": crowded_large,
    "mpi-imb": imb,
    "mpi-model": model,
}
