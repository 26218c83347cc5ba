"""Tables of the OpenMP drop-in: the figures of the suite openmp, in kept runs."""
from figures import figures, run
from layout import table

BASIC = [
    ("openmp.nested@8", "nested 8×8 loops of 3 µs items"),
    ("openmp.region@2", "empty region, 2 threads"),
    ("openmp.region@16", "empty region, 16 threads"),
    ("openmp.barrier@2", "barrier, 2 threads"),
    ("openmp.barrier@16", "barrier, 16 threads"),
    ("openmp.task@2", "task (fib), 2 threads"),
    ("openmp.task@16", "task (fib), 16 threads"),
]
FLOOR = ("openmp.roundtrip@2", "*floor:* two bare threads, there and back")
CONSTRUCTS = [
    ("parallel", "parallel"),
    ("for_static", "for, static"),
    ("for_dynamic_1", "for, dynamic"),
    ("for_dynamic_8", "for, dynamic,8"),
    ("for_guided_1", "for, guided"),
    ("for_guided_8", "for, guided,8"),
    ("barrier", "barrier"),
    ("single", "single"),
    ("sections", "sections"),
    ("critical", "critical"),
    ("ordered", "ordered"),
    ("reduction", "parallel reduction"),
    ("task_all", "task"),
    ("task_if_false", "task if(0)"),
    ("task_depend", "task depend"),
    ("taskloop", "taskloop"),
]


def openmp():
    return figures(
        "openmp-2cpu-2026-11-22.json",
        [*BASIC, ("openmp.idle@2", "CPU time of an idle process"), FLOOR],
        ["artel", "artel (clang)", "libgomp", "libomp", "libiomp5"],
    )


def floors():
    """The cost of two threads, in multiples of the round trip that the same run measured."""
    rows = []
    for name in ("openmp-2cpu-2026-11-21.json", "openmp-2cpu-2026-11-22.json"):
        results = run(name)["figures"]
        floor = results["openmp.roundtrip@2"]["results"]
        for key, title in (("openmp.region@2", "region"), ("openmp.barrier@2", "barrier")):
            row = [f"{title}, run of {name[12:22]}"]
            for column in ("artel", "libgomp", "libomp", "libiomp5"):
                found = results[key]["results"]
                row.append(
                    f"{found[column]['median'] / floor[column]['median']:.2f} "
                    f"({found[column]['min'] / floor[column]['min']:.2f})"
                )
            rows.append(row)
    return table(["times the round trip", "artel", "libgomp", "libomp", "libiomp5"], rows)


def nested():
    return figures(
        "openmp-nested-2cpu-2026-11-23.json",
        [
            ("openmp.nested@8", "both threads meet inner regions"),
            ("openmp.nested-one@8", "one thread does, the other waits"),
        ],
        ["artel", "artel (clang)", "libgomp", "libomp", "libiomp5"],
    )


def mixed():
    return figures(
        "openmp-mixed-2cpu-2026-11-23.json",
        [
            ("openmp.mixed@2", "both runtimes' regions in turn"),
            ("openmp.mixed-region@2", "one region"),
        ],
        ["artel", "libgomp + libomp"],
    )


def overheads():
    return figures(
        "openmp-overheads-2cpu-2026-11-23.json",
        [(f"overheads.{key}@2", title) for key, title in CONSTRUCTS],
        ["artel", "libgomp", "artel (clang)", "libomp", "libiomp5"],
    )


TABLES = {
    "openmp": openmp,
    "floors": floors,
    "nested": nested,
    "mixed": mixed,
    "overheads": overheads,
}
