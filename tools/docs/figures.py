"""Cells and rows of tables from one run of bench/run."""
import json

from layout import RESULTS, table
from harness import kept
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
