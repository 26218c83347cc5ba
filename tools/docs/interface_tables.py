"""Tables of our interfaces beside the libraries that they replace (cpt's runtimes, Argobots,
Qthreads, oneTBB), and of recursive programs under all of them."""
import json
import statistics

from figures import cell
from layout import RESULTS, table
from harness.statistics import significant


def cpt():
    """Seconds of bench/cpt/run as milliseconds; the ratio is that of cpt + artel to the best of the
    three that are not translated."""
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
}
