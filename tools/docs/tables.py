"""The tables of docs/performance.md, each made from files of bench/results. Pure functions of those
files."""
import json
import statistics

import mpi_tables
import text_tables
from layout import RESULTS, ROOT, table
from harness import kept, ratios
from harness.statistics import significant


def run(name):
    """A summary of bench/run in the shape that the harness reads."""
    return kept.expand(json.loads((RESULTS / name).read_text()))


def cell(results, column, bold=False):
    if column not in results:
        return "–"
    text = f"{significant(results[column]['median'])} ({significant(results[column]['min'])})"
    return f"**{text}**" if bold else text


def figures(name, rows, columns):
    """Medians with minima in brackets, a row for each figure of one run; the lowest median of a row
    is bold."""
    results, out = run(name), []
    for key, title in rows:
        figure = results["figures"][key]
        medians = {c: figure["results"][c]["median"] for c in columns if c in figure["results"]}
        best = min(medians.values())
        out.append(
            [
                f"{title}, {figure['results'][next(iter(medians))]['unit']}",
                *(cell(figure["results"], c, medians.get(c) == best) for c in columns),
            ]
        )
    return table(["", *columns], out)


def openmp():
    return figures(
        "openmp-2cpu-2026-11-22.json",
        [
            ("openmp.nested@8", "nested 8×8 loops of 3 µs items"),
            ("openmp.region@2", "empty region, 2 threads"),
            ("openmp.region@16", "empty region, 16 threads"),
            ("openmp.barrier@2", "barrier, 2 threads"),
            ("openmp.barrier@16", "barrier, 16 threads"),
            ("openmp.task@2", "task (fib), 2 threads"),
            ("openmp.task@16", "task (fib), 16 threads"),
            ("openmp.idle@2", "CPU time of an idle process"),
            ("openmp.roundtrip@2", "*floor:* two bare threads, there and back"),
        ],
        ["artel", "artel (clang)", "libgomp", "libomp", "libiomp5"],
    )


def floors():
    """What two threads cost in multiples of the round trip that the same run measured."""
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
    names = [
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
    return figures(
        "openmp-overheads-2cpu-2026-11-23.json",
        [(f"overheads.{key}@2", title) for key, title in names],
        ["artel", "libgomp", "artel (clang)", "libomp", "libiomp5"],
    )


def cpp():
    results, out = run("cpp-2cpu-2026-11-22.json")["figures"], []
    rows = [
        ("cpp.spawn@1", "spawn and join of a task, 1 worker"),
        ("cpp.spawn@2", "the same, 2 workers"),
        ("cpp.switch@1", "switch of light threads"),
        ("cpp.create-join@1", "light thread, create and join"),
        ("cpp.loop-start@2", "both workers of a loop at work, hot"),
        ("cpp.loop-start-idle@2/spinning", "the same after 2 ms idle, spinning"),
        ("cpp.loop-start-idle@2/parked", "the same after 2 ms idle, asleep"),
        ("cpp.loop-start@16", "16 workers on 2 CPUs at work"),
    ]
    targets = json.loads((ROOT / "bench/targets.json").read_text())["figures"]
    for key, title in rows:
        figure = results[key]
        floors_ = {"call", "threads", "futex", "boost-context", "artel-direct", "serial"}
        peers = {
            n: r["median"]
            for n, r in figure["results"].items()
            if n not in figure["ours"] and n not in floors_
        }
        best = min(peers, key=peers.get)
        floor = [
            f"{n} {significant(figure['results'][n]['median'])}"
            for n in figure["results"]
            if n in floors_ - {"artel-direct"}
        ]
        target = targets.get(key, {}).get("target")
        out.append(
            [
                f"{title}, {figure['results'][best]['unit']}",
                cell(figure["results"], "artel"),
                f"{best} {cell(figure['results'], best)}",
                significant(target) if target else "–",
                ", ".join(floor) or "–",
            ]
        )
    return table(["", "artel", "best peer of the run", "our target", "floor"], out)


def loops(name, *more):
    rows = []
    for each in (s for n in (name, *more) for s in ratios.standings(run(n))):
        rows.append(
            [
                each.benchmark,
                f"{each.mean:.2f}",
                "–" if each.fair is None else f"{each.fair:.2f}",
                f"{each.worst.ratio:.2f}",
                each.worst.name,
            ]
        )
    seen = {}
    for row in rows:
        seen.setdefault(row[0], row)
    return table(
        ["benchmark", "mean", "fair mean", "worst size", "best there"], list(seen.values())
    )


def loops_2():
    return loops("loops-2cpu-2026-11-22.json", "loops-recursion-2cpu-2026-11-22.json")


def loops_16():
    return loops("loops-16-on-2cpu-2026-11-22.json")


def programs(name="programs-2cpu-2026-11-23.json"):
    rows = []
    for key, each in json.loads((RESULTS / name).read_text())["workloads"].items():
        found = each["summary"]
        rows.append(
            [
                key,
                each["what"],
                f"{found['stock']:.3g}",
                f"{found['artel']:.3g}",
                f"{found['ratio']:.2f}",
                f"{found['lowest']:.2f}–{found['highest']:.2f}",
            ]
        )
    return table(
        ["workload", "what", "stock, s", "artel run, s", "ratio", "range of the pairs"], rows
    )


def openblas():
    return programs("openblas-2cpu-2026-11-23.json")


def blas():
    return programs("blas-2cpu-2026-11-25.json")


def process_crew():
    return figures(
        "lab-index-2cpu-2026-11-22.json",
        [
            ("lab.loop@2", "an empty loop"),
            ("lab.index-1000@2", "an index of a loop of 1 000"),
            ("lab.index-million@2", "an index of a loop of a million"),
            ("lab.make@2", "making the processes"),
        ],
        ["process_crew", "parallel_for", "openmpi", "mpich", "multiprocessing"],
    )


def cpt():
    """Seconds of bench/cpt/run as milliseconds; the ratio is of cpt + artel to the best of the
    three that are no translation."""
    result = json.loads((RESULTS / "cpt-2cpu-2026-11-26.json").read_text())
    titles = {
        "flat": "flat loops, short",
        "large": "flat loops, long",
        "nested": "nested 8×8",
        "fib": "tasks: fib(22)",
        "queens": "tasks: nine queens",
    }
    columns = list(next(iter(result["seconds"].values())))
    rows = []
    for kind, of in result["seconds"].items():
        best = min(of[c]["median"] for c in columns[:3])
        rows.append(
            [
                titles[kind],
                *(
                    f"{significant(of[c]['median'] * 1e3)} ({significant(of[c]['min'] * 1e3)})"
                    for c in columns
                ),
                f"{of['cpt + artel']['median'] / best:.2f}",
            ]
        )
    return table(["ms", *columns, "ratio"], rows)


def ult():
    """Figures of bench/ult/run: each operation beside the stock library."""
    result = json.loads((RESULTS / "ult-2cpu-2026-11-26.json").read_text())
    names = {"argobots": "Argobots", "qthreads": "Qthreads"}
    rows = []
    for interface, cases in result["interfaces"].items():
        for case, of in cases.items():
            unit = "" if "bytes" in case else ", ns"
            rows.append(
                [
                    names[interface],
                    f"{case}{unit}",
                    cell(of, "artel"),
                    cell(of, "stock"),
                    f"{of['artel']['median'] / of['stock']['median']:.2f}",
                ]
            )
    return table(["interface", "operation", "Artel", "stock", "ratio"], rows)


def beside_onetbb(name, title, scale=1.0):
    """The figures of bench/tbb/run: medians with minima in brackets, and the ratio of the
    medians."""
    rows = []
    for case, measured in json.loads((RESULTS / name).read_text())["figures"].items():
        of = {
            who: {word: figure * scale for word, figure in f.items()} for who, f in measured.items()
        }
        best = min(f["median"] for f in of.values())
        rows.append(
            [
                case,
                *(cell(of, who, of[who]["median"] == best) for who in ("stock", "artel")),
                f"{of['artel']['median'] / of['stock']['median']:.2f}",
            ]
        )
    return table([title, "oneTBB 2021.8", "artel", "ratio"], rows)


def tbb():
    return beside_onetbb("tbb-2cpu-2026-11-26.json", "µs", 1e-3)


def tbb_composition():
    return beside_onetbb("tbb-composition-2cpu-2026-11-26.json", "times the ideal")


def recursive(*kernels):
    """Seconds of bench/recursive/run, a column for each kernel and number of threads."""
    result = json.loads((RESULTS / "recursive-2cpu-2026-11-26.json").read_text())["seconds"]
    columns = [
        (kernel, n)
        for kernel in kernels
        for n in sorted({int(n) for by in result[kernel].values() for n in by})
    ]
    rows = []
    for name in result[kernels[0]]:
        seconds = (result[kernel][name].get(str(n), [None]) for kernel, n in columns)
        rows.append(
            [
                name,
                *(
                    (
                        "–"
                        if None in s
                        else f"{significant(statistics.median(s))} ({significant(min(s))})"
                    )
                    for s in seconds
                ),
            ]
        )
    return table(["s", *(f"{kernel}, {n}" for kernel, n in columns)], rows)


TABLES = {
    "tbb": tbb,
    "tbb-composition": tbb_composition,
    "cpt": cpt,
    "ult": ult,
    "recursive-fft": lambda: recursive("fft"),
    "recursive-others": lambda: recursive("uts", "sort", "strassen"),
    "openmp": openmp,
    "floors": floors,
    "nested": nested,
    "mixed": mixed,
    "overheads": overheads,
    "cpp": cpp,
    "loops-2": loops_2,
    "loops-16": loops_16,
    "programs": programs,
    "openblas": openblas,
    "blas": blas,
    "mpi": mpi_tables.short,
    "process-crew": process_crew,
    **text_tables.TABLES,
}
