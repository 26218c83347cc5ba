"""The tables of docs/performance.md, each made from files of bench/results. Pure functions of those
files."""
import json

import interface_tables
import mpi_tables
import noted_tables
import openmp_tables
import scaling_tables
import text_tables
from figures import cell, figures, run
from layout import RESULTS, ROOT, table
from harness import ratios
from harness.statistics import significant


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


TABLES = {
    **interface_tables.TABLES,
    **openmp_tables.TABLES,
    **scaling_tables.TABLES,
    "cpp": cpp,
    "loops-2": loops_2,
    "loops-16": loops_16,
    "programs": programs,
    "openblas": openblas,
    "blas": blas,
    "mpi": mpi_tables.short,
    "process-crew": process_crew,
    **text_tables.TABLES,
    **noted_tables.TABLES,
}
