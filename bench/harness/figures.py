"""What is measured: the list of cases. A case is one program with one set of arguments, run under
several runtimes; it gives one figure per measure that the program prints.

A figure's key is "<section>.<measure>@<threads>", with "/<mode>" behind it where the mode of
waiting is not the default. Targets (bench/targets.json) are filed under these keys."""

import dataclasses

from . import loops, runtimes


@dataclasses.dataclass
class Case:
    """One program under one configuration."""

    section: str  # heading of its table
    name: str  # for progress and for choosing on the command line
    program: str
    threads: int
    columns: list
    mode: str = ""
    arguments: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)
    share: float = 1.0  # of the sampling time: programs with many measures take less for each

    def key(self, measure):
        group = self.section.split()[0]
        return f"{group}.{measure}@{self.threads}" + (f"/{self.mode}" if self.mode else "")


WAIT_ACTIVE = {"OMP_WAIT_POLICY": "active", "ARTEL_WAIT": "active"}
WAIT_PASSIVE = {"OMP_WAIT_POLICY": "passive", "ARTEL_WAIT": "passive"}


def openmp_cases(places):
    for mode, environment in (("", {}), ("active", {"OMP_WAIT_POLICY": "active"})):

        def case(name, threads, share=1.0, columns=None, mode=mode, environment=environment):
            suffix = f"@{threads}" + (f"/{mode}" if mode else "")
            return Case(
                "openmp" + (f" (OMP_WAIT_POLICY={mode})" if mode else ""),
                f"openmp.{name}{suffix}",
                name,
                threads,
                columns or runtimes.openmp(places),
                mode,
                [],
                environment,
                share,
            )

        yield case("nested", 8)
        yield case("roundtrip", 2)
        for threads in (2, 16):
            yield case("region", threads)
            yield case("barrier", threads)
            yield case("tasks", threads, 2.0)
            yield case("loops", threads, 0.4)
        for threads in (1, 2, 8, 16):
            yield case("undeferred", threads, 2.0)
        yield case("mixed", 2, columns=runtimes.mixed(places))
        yield case("idle", 2)


def beginning_cases(places):
    """What a process's first region costs, and its first loop of long iterations, in teams with
    more members than CPUs."""
    columns = runtimes.openmp(places)
    for threads in (2, 8, 16, 64):
        yield Case("beginnings", f"beginnings.first@{threads}", "first", threads, columns)
    for threads in (4, 8, 16, 64):
        for what, size in (
            ("work", 1000),
            ("work", 10000),
            ("work", 100000),
            ("zsymm", 300),
            ("zsymm", 500),
        ):
            measure = f"zsymm-{size}" if what == "zsymm" else f"members-{size}us"
            yield Case(
                "beginnings",
                f"beginnings.{measure}@{threads}",
                "members",
                threads,
                columns,
                arguments=["--what", what, "--size", str(size)],
            )


def inner_cases(places):
    """Regions inside of regions, by how much there is to do in them and by how busy the crew is."""
    for threads in (2, 4, 8, 16):
        yield Case(
            "inner", f"inner@{threads}", "inner", threads, runtimes.nested(places), share=0.2
        )


def overhead_cases(places):
    """Every construct at five sizes of teams, by itself: 34 figures each."""
    for threads in (1, 2, 4, 8, 16):
        yield Case(
            "overheads",
            f"overheads@{threads}",
            "overheads",
            threads,
            runtimes.openmp(places),
            share=0.1,
        )


def pause_cases(places):
    """A region after a serial part, by how long that takes."""
    for threads in (2, 16):
        yield Case(
            "pauses", f"pauses@{threads}", "pauses", threads, runtimes.openmp(places), share=0.3
        )


def cpp_cases(places):
    def case(
        benchmark, threads, names, mode="", arguments=(), environment=None, what=None, share=1.0
    ):
        suffix = (f"-{what}" if what else "") + f"@{threads}" + (f"/{mode}" if mode else "")
        columns = runtimes.cpp(places, what or benchmark, [])
        for column in runtimes.cpp(places, benchmark, names):
            if what:
                column.arguments = ["--what", what]
            columns.append(column)
        return Case(
            f"cpp {benchmark}",
            f"cpp.{benchmark}{suffix}",
            "",
            threads,
            columns,
            mode,
            list(arguments),
            dict(environment or {}),
            share,
        )

    spawners = [
        "artel",
        "tbb-debian",
        "tbb-pypi",
        "tbb-group-debian",
        "tbb-group-pypi",
        "taskflow",
        "rayon",
        "libgomp",
        "call",
    ]
    for threads in (1, 2):
        yield case("forkjoin", threads, spawners)
    loopers = [
        "artel",
        "tbb-debian",
        "tbb-pypi",
        "taskflow",
        "eigen",
        "rayon",
        "libgomp",
        "threads",
        "futex",
    ]
    yield case("loop", 2, loopers)
    yield case("loop", 2, loopers, "spinning", ["--idle-us", "2000"], WAIT_ACTIVE)
    yield case("loop", 2, loopers, "parked", ["--idle-us", "2000"], WAIT_PASSIVE)
    yield case("loop", 16, loopers)
    yield case("loop", 2, loopers, what="idle")
    # One worker: two light threads that yield then switch to each other and nothing else.
    yield case(
        "lightthread",
        1,
        ["artel", "boost-fiber", "boost-context", "artel-direct", "threads"],
        share=0.7,
    )
    yield case("lightthread", 2, ["artel", "boost-fiber", "threads"], share=0.7)
    for threads in (2, 16):
        yield case("sort", threads, ["artel", "tbb-debian", "std-par", "libgomp", "serial"])


def lab_cases(places):
    """process_crew: what an index costs, and two of the lab's workloads with 2, 8 and 64 tasks."""
    yield Case("lab index", "lab.index@2", "", 2, runtimes.lab_index(places))
    for workload in ("alloc", "exchanges"):
        for tasks in (2, 8, 64):
            yield Case(
                f"lab {workload}",
                f"lab.{workload}@{tasks}",
                "",
                tasks,
                runtimes.lab_workload(places, workload),
                workload,
            )


def all_cases(places, threads=(2, 16), scale=1):
    """Every case, in the order of the report. threads and scale: of the loop suite."""
    return (
        list(openmp_cases(places))
        + list(beginning_cases(places))
        + list(inner_cases(places))
        + list(overhead_cases(places))
        + list(pause_cases(places))
        + list(cpp_cases(places))
        + list(lab_cases(places))
        + list(loops.cases(places, Case, threads, scale))
    )


def choose(cases, names):
    """The cases whose name contains one of the names (all of them when there are none given)."""
    if not names:
        return cases
    return [
        case for case in cases if any(name in case.name or name in case.section for name in names)
    ]
