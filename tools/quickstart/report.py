"""Writes the page of a quick start: one HTML file that needs nothing else, neither a network nor
scripts."""

import pathlib
import shlex
import sys

import agree
import table

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "page"))

# pylint: disable=wrong-import-position noqa: E402
from page import (
    ARTEL_COLOUR,
    GRID,
    INK,
    STOCK_COLOUR,
    document,
    image,
    matplotlib,
    plt,
    start_plots,
)
from page import text as _text  # noqa: E402


def _plain_axes(axes):
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
    axes.set_axisbelow(True)
    axes.grid(axis="x", color=GRID)
    axes.invert_yaxis()


def _ratio_figure(results, ours):
    """Wall-time ratio per program, a dot per pair."""
    figure, axes = plt.subplots(figsize=(9, 0.45 * len(results) + 1.1))
    largest = smallest = 1.0
    for row, result in enumerate(results):
        entry = result["summary"]["wall"]
        if entry["ratio"] is None:
            axes.text(1, row, " no ratio", va="center", color="#b3261e")
            continue
        colour = ARTEL_COLOUR if entry["ratio"] >= 1 else STOCK_COLOUR
        axes.barh(row, entry["ratio"] - 1, left=1, height=0.55, color=colour, alpha=0.85)
        axes.plot(
            entry["pair_ratios"],
            [row] * len(entry["pair_ratios"]),
            "o",
            color=INK,
            markersize=3.5,
            alpha=0.75,
        )
        end = max([1, entry["ratio"], *entry["pair_ratios"]])
        axes.annotate(
            table.times(entry["ratio"]),
            (end, row),
            (7, 0),
            textcoords="offset points",
            va="center",
            color=INK,
        )
        largest = max(largest, end)
        smallest = min([smallest, entry["ratio"], *entry["pair_ratios"]])
    axes.set_xscale("log")
    axes.set_xlim(min(0.8, smallest / 1.15), max(1.6, largest * 1.35))
    coarse, fine = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100), (
        0.6,
        0.7,
        0.8,
        0.9,
        1,
        1.1,
        1.2,
        1.3,
        1.5,
        2,
    )
    shown = axes.get_xlim()
    marks = [
        mark
        for mark in (coarse if shown[1] / shown[0] > 4 else fine)
        if shown[0] <= mark <= shown[1]
    ]
    axes.set_xticks(marks, [f"{mark:g}x" for mark in marks])
    axes.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
    axes.axvline(1, color=INK, linewidth=1)
    axes.set_yticks(range(len(results)), [result["program"].name for result in results])
    axes.set_xlabel(f"wall time, stock / {ours}: to the right of the line {ours} is faster")
    _plain_axes(axes)
    return figure


def _two_panels(results, quantities, labels, ours, logarithmic):
    """Stock and ours side by side for two quantities."""
    figure, panels = plt.subplots(1, 2, figsize=(9, 0.55 * len(results) + 1.3), sharey=True)
    for axes, quantity, label in zip(panels, quantities, labels):
        for offset, side, colour, name in (
            (-0.19, "stock", STOCK_COLOUR, "stock"),
            (0.19, "artel", ARTEL_COLOUR, ours),
        ):
            values = [result["summary"][quantity][side] or 0 for result in results]
            axes.barh(
                [row + offset for row in range(len(results))],
                values,
                height=0.36,
                color=colour,
                label=name,
            )
        if logarithmic:
            axes.set_xscale("symlog", linthresh=1)
            axes.set_xlim(left=0)
            axes.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
            axes.xaxis.set_major_formatter(
                lambda value, _: f"{value:,.0f}" if value < 1e4 else f"{value / 1e3:,.0f}k"
            )
        axes.set_xlabel(label)
        axes.set_yticks(range(len(results)), [result["program"].name for result in results])
        _plain_axes(axes)
        (
            axes.invert_yaxis() if axes is panels[1] else None
        )  # the y axis is shared: undo the second inversion
    figure.legend(
        *panels[0].get_legend_handles_labels(),
        loc="upper center",
        ncol=2,
        frameon=False,
        bbox_to_anchor=(0.5, 1.03),
    )
    figure.tight_layout(rect=(0, 0, 1, 0.96))
    return figure


def _html_table(results, ours):
    head = "".join(
        f'<th colspan="3" class="first">{heading}{f" ({unit})" if unit else ""}</th>'
        for _, heading, unit, _ in table.QUANTITIES
    )
    second = f'<th class="first">stock</th><th>{ours}</th><th>ratio</th>' * len(table.QUANTITIES)
    body = ""
    for result, cells in zip(results, table.rows(results)):
        body += f'<tr title="{_text(result["program"].explanation)}"><td>{_text(cells[0])}</td>'
        for index, cell in enumerate(cells[1:-1]):
            kind = ("first", "", "ratio")[index % 3]
            body += f'<td class="{kind}">{_text(cell)}</td>'
        body += (
            '<td class="first'
            f' {"wrong" if result["complaints"] else ""}">{_text(cells[-1])}</td></tr>\n'
        )
    return (
        f'<div class="scroll"><table><tr><th rowspan="2">program</th>{head}<th rowspan="2"'
        f' class="first">answer</th></tr><tr>{second}</tr>\n{body}</table></div>'
    )


def _extreme(results, quantity):
    """The program with the largest ratio of a quantity, or None."""
    known = [result for result in results if result["summary"][quantity]["ratio"] is not None]
    return max(known, key=lambda result: result["summary"][quantity]["ratio"]) if known else None


def _sum(results, quantity, side):
    return sum(result["summary"][quantity][side] or 0 for result in results)


def _sentences(results, ours):
    """A sentence per figure."""
    ratios = [result["summary"]["wall"]["ratio"] for result in results]
    ratios = [value for value in ratios if value is not None]
    best = _extreme(results, "wall")
    first = "Each dot is one pair of runs made right after each other, the bar is their median. "
    if best:
        first += (
            f"The largest difference is in {best['program'].name} ({best['program'].title}),"
            f" {table.times(best['summary']['wall']['ratio'])}; the smallest ratio is"
            f" {table.times(min(ratios))}, the geometric mean"
            f" {table.times(agree.geometric_mean(ratios))}."
        )
    second = (
        "Medians of wall time and of CPU time over all threads: the programs together took"
        f" {_sum(results, 'wall', 'stock'):.1f} s and {_sum(results, 'cpu', 'stock'):.1f} s of CPU"
        f" time under the stock runtime, {_sum(results, 'wall', 'artel'):.1f} s and"
        f" {_sum(results, 'cpu', 'artel'):.1f} s under {ours}."
    )
    third = (
        "Where the time goes, on a logarithmic scale: the stock runtime created"
        f" {_sum(results, 'threads', 'stock'):,.0f} threads and caused"
        f" {_sum(results, 'switches', 'stock'):,.0f} context switches,"
        f" {ours} {_sum(results, 'threads', 'artel'):,.0f} and"
        f" {_sum(results, 'switches', 'artel'):,.0f} (sums of the medians)."
    )
    return first, second, third


def write(path, results, about, options, counter):
    """Writes the page. results: the records of run.py; about: {"machine": ..., "written": ...};
    counter: of threads.py."""
    start_plots()
    ours = "again" if options.null_test else "artel"
    sentences = _sentences(results, ours)
    figures = [
        image(_ratio_figure(results, ours), "Wall-time ratios by program"),
        image(
            _two_panels(
                results, ("wall", "cpu"), ("wall time, seconds", "CPU time, seconds"), ours, False
            ),
            "Wall and CPU time by program",
        ),
        image(
            _two_panels(
                results,
                ("threads", "switches"),
                ("threads created", "context switches"),
                ours,
                True,
            ),
            "Threads created and context switches by program",
        ),
    ]
    complaints = [
        f"{result['program'].name}: {text}" for result in results for text in result["complaints"]
    ]
    command = "the stock runtime again (null test)" if options.null_test else "artel run"
    verdict = _text(table.verdict(results, options.null_test))
    page = [
        "<h1>Artel quick start</h1>",
        (
            "<p>Unmodified OpenMP programs, compiled by the system's gcc, under the stock runtime"
            f" and under <code>{command}</code>, on one machine and in turn.</p>"
        ),
        f'<p class="verdict{" bad" if complaints else ""}">{verdict}</p>',
    ]
    if complaints:
        page += ["<ul>", *(f"<li>{_text(complaint)}</li>" for complaint in complaints), "</ul>"]
    page += [
        _html_table(results, ours),
        (
            f'<p class="small">Medians of {options.rounds} runs per'
            f' side{", small sizes" if options.quick else ""}; the ratio is stock / {ours}, above 1'
            " where the latter needs less. Threads do not count a program's first. Equal answers"
            " means equal result lines, or equal pixels, in all runs.</p>"
        ),
    ]
    for heading, figure, sentence in zip(
        ("How much faster", "Time", "Threads and context switches"), figures, sentences
    ):
        page.append(
            f"<h2>{heading}</h2><figure>{figure}<figcaption>{_text(sentence)}</figcaption></figure>"
        )
    page.append(
        '<h2>What was run</h2><div class="scroll"><table class="plain"><tr><th>program</th><th>what'
        " it is</th></tr>"
    )
    for result in results:
        program = result["program"]
        page.append(f"<tr><td>{_text(program.name)}</td><td>{_text(program.explanation)}</td></tr>")
    page.append("</table></div>")
    page.append('<h2>The machine</h2><div class="scroll"><table class="plain">')
    for name, value in about["machine"].items():
        if isinstance(value, dict):
            value = (
                " ".join(f"{key}={shlex.quote(setting)}" for key, setting in value.items())
                or "none of OMP_*, GOMP_*, ARTEL_* is set"
            )
        if value != "":
            page.append(f"<tr><td>{_text(name)}</td><td>{_text(value)}</td></tr>")
    page.append(f"<tr><td>measured</td><td>{_text(about['written'])}</td></tr></table></div>")
    page.append(
        "<h2>How it was measured</h2><p>Pairs of runs, stock first, each program in a session of"
        " its own. Wall time is the life of the process; CPU time and context switches are the"
        " kernel's accounting of all its threads (wait4); threads created come from"
        f" {_text(counter.source)}. The OpenMP library each process had mapped was checked.</p>"
    )
    flags = (
        (" --quick" if options.quick else "")
        + f" --rounds {options.rounds}"
        + (" --null-test" if options.null_test else "")
    )
    again = [f"./quickstart{flags}", "", "# or one by one, from the root of the repository"]
    again += [
        shlex.join(result["shown"][side]) for result in results for side in ("stock", "artel")
    ]
    page.append("<h2>Do it again</h2><pre>" + _text("\n".join(again)) + "</pre>")
    with open(path, "w", encoding="utf-8") as file:
        file.write(document("Artel quick start", page))
