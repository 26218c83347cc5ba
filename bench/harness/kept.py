"""The part of a run that is kept in the repository: medians, minima, the figures of each process,
and the machine, but no raw samples.

`shorten` makes it from what bench/run writes; `expand` brings it back into the form that the rest
of the harness reads, without what was not kept (90th percentiles, samples). Pure functions.
"""

from .statistics import median

FORMAT = "summary of bench/run"
# Eight numbers a column are enough for the fair ratio and the comparison; digits after the fourth
# are noise.
DIGITS = 4
# With fewer processes a column neither the fair ratio nor the comparison reads their medians one by
# one, which then need fewer digits.
FEW, DIGITS_OF_FEW = 4, 3


def _short(number, digits=DIGITS):
    rounded = float(f"{number:.{digits}g}")
    return int(rounded) if rounded == int(rounded) else rounded


def is_short(results):
    return isinstance(results, dict) and results.get("format") == FORMAT


def shorten(results):
    figures = {}
    for key, figure in results["figures"].items():
        columns = {}
        for name, result in figure["results"].items():
            lines = figure["processes"].get(name, [])
            digits = DIGITS_OF_FEW if len(lines) < FEW else DIGITS
            medians = [_short(line["median"], digits) for line in lines]
            columns[name] = [_short(result["median"]), _short(result["min"]), medians]
        units = {result["unit"] for result in figure["results"].values()}
        figures[key] = {
            "section": figure["section"],
            "ours": figure["ours"],
            "unit": ", ".join(sorted(units)),
            "columns": columns,
        }
        if figure.get("errors"):
            figures[key]["errors"] = figure["errors"]
    kept = {
        name: results[name]
        for name in ("machine", "rounds", "seconds", "near", "left_out")
        if results.get(name)
    }
    return {
        "format": FORMAT,
        "each column": "median over processes, smallest minimum, the processes' medians",
        **kept,
        "figures": figures,
    }


def expand(short):
    figures = {}
    for key, figure in short["figures"].items():
        results, processes = {}, {}
        for name, (middle, least, medians) in figure["columns"].items():
            lowest = min(medians, default=0)
            results[name] = {
                "unit": figure["unit"],
                "median": middle,
                "min": least,
                "processes": len(medians),
                "spread": max(medians) / lowest if lowest > 0 else 1.0,
            }
            processes[name] = [{"median": value} for value in medians]
        figures[key] = {
            "section": figure["section"],
            "ours": figure["ours"],
            "columns": list(results),
            "results": results,
            "processes": processes,
            "errors": figure.get("errors", {}),
        }
    return {
        **{name: value for name, value in short.items() if name not in ("format", "each column")},
        "figures": figures,
    }


def middle(numbers):
    """[median, least, how many] of some numbers."""
    return [_short(median(numbers)), _short(min(numbers)), len(numbers)]
