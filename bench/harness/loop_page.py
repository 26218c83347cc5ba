"""The HTML report of a run of the loop suite: the table of ratios, a plot per benchmark with one
sentence on what it shows, our own variants beside each other (the thesis's figures 10 and 11), and
the machine."""

import os
import sys

from . import loops, model, ratios, report
from .statistics import significant

HERE = os.path.dirname(os.path.abspath(__file__))
for _folder in (f"{HERE}/../../tools/page", f"{HERE}/../page"):  # in the source tree; installed
    if os.path.exists(_folder):
        sys.path.insert(0, _folder)

import page  # noqa: E402  pylint: disable=wrong-import-position

OTHERS = "#c9d1d9"


def _points(figures, column):
    found = [
        (size, figure["results"][column]["median"])
        for size, figure in figures
        if column in figure["results"]
    ]
    return [size for size, _ in found], [value for _, value in found]


def _best_of_families(figures):
    """The column of each competitor that was measured at the most sizes; of several, that with the
    least geometric mean."""
    best = {}
    for column in figures[0][1]["columns"]:
        if column in figures[0][1]["ours"] or column == loops.FLOOR:
            continue
        sizes, values = _points(figures, column)
        if not values:
            continue
        product = 1.0
        for value in values:
            product *= max(value, 1e-9) ** (1 / len(values))
        name = loops.family(column)
        if name not in best or (len(sizes), -product) > (best[name][1], -best[name][2]):
            best[name] = (column, len(sizes), product)
    return [column for column, _, _ in best.values()]


def _axes(benchmark, unit):
    figure, axes = page.plt.subplots(figsize=(9, 4.6))
    axes.set_xlabel(benchmark.size)
    axes.set_ylabel(f"time, {'µs' if unit == 'us' else unit}")
    axes.set_yscale("log")
    if benchmark.name != "scheduling":
        axes.set_xscale("log", base=2)
    axes.grid(color=page.GRID)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def _comparison(benchmark, figures, unit):
    """All columns in grey, the best of each competitor in colour, ours on top."""
    figure, axes = _axes(benchmark, unit)
    chosen = _best_of_families(figures)
    for column in figures[0][1]["columns"]:
        if column not in chosen and column not in figures[0][1]["ours"] and column != loops.FLOOR:
            axes.plot(*_points(figures, column), color=OTHERS, linewidth=0.8, zorder=1)
    for column, colour in zip(chosen, page.COLOURS):
        axes.plot(
            *_points(figures, column),
            "o-",
            color=colour,
            markersize=3,
            linewidth=1.3,
            label=column,
            zorder=2,
        )
    if _points(figures, loops.FLOOR)[0]:
        axes.plot(
            *_points(figures, loops.FLOOR),
            ":",
            color=page.INK,
            linewidth=1.2,
            label="serial",
            zorder=2,
        )
    axes.plot(
        *_points(figures, loops.OURS),
        "o-",
        color=page.ARTEL_COLOUR,
        linewidth=2.6,
        markersize=5,
        label="artel",
        zorder=3,
    )
    axes.legend(frameon=False, fontsize=8, bbox_to_anchor=(1.01, 1), loc="upper left")
    return page.image(figure, benchmark.title)


def _variants(benchmark, figures, unit):
    """Our own partitioners."""
    figure, axes = _axes(benchmark, unit)
    for column, colour in zip(figures[0][1]["ours"], (page.ARTEL_COLOUR, *page.COLOURS)):
        if _points(figures, column)[0]:
            axes.plot(
                *_points(figures, column),
                "o-",
                color=colour,
                markersize=4,
                label="artel (automatic)" if column == loops.OURS else column,
            )
    axes.legend(frameon=False, fontsize=8, bbox_to_anchor=(1.01, 1), loc="upper left")
    return page.image(figure, f"{benchmark.title}: our variants")


def sentence(standing, target):
    """What a plot shows, in one sentence."""
    first = sum(size.ratio <= 1 for size in standing.sizes)
    worst = standing.worst
    text = (
        f"With {standing.threads} workers Artel's default takes {standing.mean:.2f} times as long"
        f" as the best competitor of each size (geometric mean) and is first at {first} of"
        f" {len(standing.sizes)}; it stands worst at {worst.size}, {worst.ratio:.2f} times"
        f" {worst.name}'s {significant(worst.best)}"
    )
    if target:
        text += (
            f"; asked for were {target['mean']:.2f} and {target['worst']:.2f} at worst:"
            f" {standing.verdict(target)}"
        )
    return text + "."


def variants_sentence(benchmark, threads, figures):
    """What the plot of our variants shows."""
    parts = []
    for column in figures[0][1]["ours"]:
        if column == loops.OURS:
            continue
        both = [
            (figure["results"][column]["median"], figure["results"][loops.OURS]["median"])
            for _size, figure in figures
            if column in figure["results"] and loops.OURS in figure["results"]
        ]
        if both:
            low, high = min(a / b for a, b in both), max(a / b for a, b in both)
            parts.append(
                f"{column} takes {low:.2f} to {high:.2f} times as long as the automatic default"
            )
    return (
        f"{benchmark.title}, {threads} workers: "
        + (", ".join(parts) or "only the default was measured")
        + "."
    )


def parts(results, targets, programs=model.Programs()):
    """The body of the page, as a list of elements; with the model's part if its program is
    there."""
    found = ratios.standings(results, report.test_or_none())
    wanted = targets.get("loops", {})
    missed = [
        each
        for each in found
        if each.verdict(wanted.get(f"{each.benchmark}@{each.threads}")) == "missed"
    ]
    judged = [each for each in found if f"{each.benchmark}@{each.threads}" in wanted]
    body = [
        "<h1>Loops: Artel beside its peers</h1>",
        (
            "<p>Every runtime with every way it has to deal out iterations, one process each per"
            " round, in turn, on one machine. Results were checked in every process. The ratio is"
            " Artel's default to whichever competitor was best at that size; in the fair mean every"
            " second process says who that is, and the others how we stand to him.</p>"
        ),
        f'<p class="verdict{" bad" if missed else ""}">'
        + page.text(
            f"{len(judged) - len(missed)} of {len(judged)} benchmarks meet what was asked for."
            if judged
            else "Nothing was asked for."
        )
        + "</p>",
    ]
    if found:
        body.append(page.table([row[:9] for row in ratios.rows(found, wanted)]))
    if not page.have_plots:
        body.append(
            '<p class="small">There are no plots: matplotlib is not installed (Debian:'
            " python3-matplotlib).</p>"
        )
    by_name = {benchmark.name: benchmark for benchmark in loops.BENCHMARKS}
    for standing in found:
        benchmark = by_name[standing.benchmark]
        figures = ratios.figures_of(results, benchmark.name, standing.threads)
        unit = (
            figures[0][1]["results"][loops.OURS]["unit"]
            if loops.OURS in figures[0][1]["results"]
            else benchmark.unit
        )
        said = sentence(standing, wanted.get(f"{standing.benchmark}@{standing.threads}"))
        body.append(f"<h2>{page.text(benchmark.title)}, {standing.threads} workers</h2>")
        body.append(
            page.figure(_comparison(benchmark, figures, unit), said)
            if page.have_plots
            else f"<p>{page.text(said)}</p>"
        )
        if (
            page.have_plots
            and len(figures[0][1]["ours"]) > 1
            and standing.threads <= results["machine"]["cpus"]
        ):
            body.append(
                page.figure(
                    _variants(benchmark, figures, unit),
                    variants_sentence(benchmark, standing.threads, figures),
                )
            )
    if programs.simulation:
        body += model.parts(programs, results["figures"], results["machine"]["cpus"])
    body.append(
        "<h2>Remarks</h2><pre>"
        + page.text("\n".join(report.remarks(results)).strip() or "None.")
        + "</pre>"
    )
    body.append(
        "<h2>The machine</h2><pre>"
        + page.text("\n".join(report.machine_lines(results["machine"])))
        + "</pre>"
    )
    body.append(
        "<h2>All times</h2><p>Median of the processes' medians (smallest minimum).</p><pre>"
        + page.text("\n".join(report.loop_lines(results, targets)))
        + "</pre>"
    )
    return body


def write(path, results, targets, programs=model.Programs()):
    """Writes the page when the loop suite was measured; returns whether it did."""
    if not ratios.runs(results):
        return False
    if page.have_plots:
        page.start_plots()
    with open(path, "w", encoding="utf-8") as file:
        file.write(page.document("Artel: loops", parts(results, targets, programs)))
    return True
