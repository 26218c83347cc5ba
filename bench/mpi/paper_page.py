"""One HTML page of the paper's experiments: of each its curves beside the paper's, the sentence on
its shape, the parameters of both, and the numbers. Needs nothing else; without matplotlib there are
no drawings."""
from __future__ import annotations

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
for folder in (HERE, HERE.parent.parent / "tools/page"):  # built or installed; in the source tree
    if (folder / "page.py").exists():
        sys.path.insert(0, str(folder))
        break

import page  # noqa: E402  pylint: disable=wrong-import-position

BAR_COLOURS = {
    "WS": "#e69f00",
    "SO": "#cc79a7",
    "C": "#0b6e99",
    "N": "#009e73",
    "WO": "#e69f00",
    "W": "#d55e00",
    "A": "#000000",
}


def heading(found: dict) -> str:
    name = found["figure"]
    return f"{'Table 1' if name == 'table1' else f'Figure {name}'}: {found['title']}"


def words(parameters: dict) -> str:
    """`{"f": 8192, "q": 1}` as in "f = 8192, q = 1"."""
    told = []
    for name, value in parameters.items():
        if isinstance(value, float):
            value = f"{value:.4g}"
        elif isinstance(value, list):
            value = ", ".join(map(str, value))
        told.append(f"{name} = {value}")
    return "; ".join(told)


def panels(found: dict) -> list[str]:
    return list(dict.fromkeys(c["panel"] for c in found["curves"]))


def drawing(found: dict) -> str:
    """A picture with a part for each panel: curves of this machine are solid, those of the paper
    dashed."""
    names = panels(found)
    figure, axes = page.plt.subplots(
        1, len(names), figsize=(4 + 4 * len(names), 4.6), squeeze=False
    )
    for axis, panel in zip(axes[0], names):
        for i, c in enumerate(c for c in found["curves"] if c["panel"] == panel):
            here = c["of"] == "here"
            axis.plot(
                [x for x, _ in c["points"]],
                [y for _, y in c["points"]],
                linestyle="-" if here else "--",
                marker="o" if here and len(c["points"]) < 40 else "" if not here else ",",
                markersize=4,
                color=page.COLOURS[i % len(page.COLOURS)],
                label=f"{c['name']} ({'here' if here else 'the paper'})",
            )
            if len(c["points"]) == 1:
                axis.plot(*c["points"][0], marker="*", markersize=13, color=page.INK)
        axis.set(title=panel, xlabel=found["x"], ylabel=found["y"])
        if found["x"].startswith(("bytes", "buffers")):
            axis.set_xscale("log", base=2)
        axis.grid(color=page.GRID)
        axis.legend(fontsize="x-small")
    return page.image(figure, found["title"])


def bars(found: dict) -> str:
    """The steps of root and leaf, the paper's above those recorded here."""
    rows = found["bars"]
    figure, axes = page.plt.subplots(len(rows), 1, figsize=(11, 1.3 * len(rows)), squeeze=False)
    for axis, row in zip(axes[:, 0], rows):
        for rank, step, number, begin, end in row["bars"]:
            axis.barh(
                -rank,
                end - begin,
                left=begin,
                color=BAR_COLOURS[step],
                edgecolor="white",
                linewidth=0.5,
            )
            if step == "C":
                axis.text(
                    (begin + end) / 2,
                    -rank,
                    f"C{number + 1}",
                    ha="center",
                    va="center",
                    color="white",
                    fontsize=7,
                )
        axis.set_yticks([0, -1], ["root", "leaf"])
        drawn = "the paper, schematically" if row["of"] == "paper" else "here, µs"
        axis.set_title(f"{row['panel']}), {drawn}", fontsize=8, loc="left")
        if row["of"] == "paper":
            axis.set_xticks([])
    handles = [
        page.plt.Rectangle((0, 0), 1, 1, color=BAR_COLOURS[step])
        for step in ("WS", "SO", "C", "N", "W", "A")
    ]
    figure.legend(handles, ["WS, WO", "SO", "C", "N", "W", "A"], ncol=6, loc="upper center")
    figure.tight_layout(rect=(0, 0, 1, 0.95))
    return page.image(figure, found["title"])


def numbers(found: dict) -> list[str]:
    """A table for each panel: x, and a column for each curve that was measured or computed here."""
    parts = []
    for panel in panels(found):
        here = [c for c in found["curves"] if c["panel"] == panel and c["of"] == "here"]
        by_x = [dict(map(tuple, c["points"])) for c in here]
        xs = sorted({x for points in by_x for x in points})
        if not here or len(xs) > 60:
            continue
        rows = [[found["x"], *(c["name"] for c in here)]]
        rows += [
            [f"{x:g}", *(f"{points[x]:.4g}" if x in points else "" for points in by_x)] for x in xs
        ]
        parts.append(page.table(rows))
    return parts


def part(found: dict) -> list[str]:
    body = [f"<h2>{page.text(heading(found))}</h2>"]
    kind = " bad" if found["holds"] is False else ""
    body.append(f'<p class="verdict{kind}">{page.text(found["sentence"])}</p>')
    body.append(f"<p>The paper: {page.text(words(found['paper_parameters']))}.<br>")
    body.append(f"Here: {page.text(words(found['parameters']))}.</p>")
    if page.have_plots and found.get("bars"):
        body.append(page.figure(bars(found), "Root and leaf; the paper's diagram above ours."))
    if page.have_plots and found["curves"]:
        body.append(page.figure(drawing(found), "Drawn through: here. Dashed: the paper."))
    if found.get("table"):
        body.append(table(found))
    return body + numbers(found)


def table(found: dict) -> str:
    """A table that the experiment itself has; `bands` colours its cells."""
    if "bands" not in found:
        return page.table(found["table"])
    names = found["paper_parameters"]["bands"]
    colours = dict(zip(names, ("#d8efd8", "#fbf1c5", "#f6d5d0")))
    head = "".join(f"<th>{page.text(cell)}</th>" for cell in found["table"][0])
    rows = "\n".join(
        "<tr>"
        + "".join(
            f'<td style="background:{colours.get(band, "none")}">{page.text(cell)}</td>'
            for cell, band in zip(cells, bands)
        )
        + "</tr>"
        for cells, bands in zip(found["table"][1:], found["bands"][1:])
    )
    return f'<div class="scroll"><table><tr>{head}</tr>\n{rows}</table></div>'


def write(path: pathlib.Path, records: list[dict]) -> None:
    if page.have_plots:
        page.start_plots()
    body = [
        "<h1>The broadcast paper's figures, here</h1>",
        "<p>M. Kurnosov and E. Tokmasheva, a shared-memory broadcast for NUMA nodes (2020): its "
        "experiments by its own protocol, and what it shows beside what this machine shows. The "
        "paper's curves are computed from its formulas with its parameters; of what it measured, "
        "only what its text states is drawn.</p>",
    ]
    overview = [["", "", "shape"]]
    for found in records:
        name = {True: "holds", False: "does not hold", None: "nothing to say"}[found["holds"]]
        overview.append([heading(found), words(found["parameters"])[:90], name])
    body.append(page.table(overview, plain=True))
    for found in records:
        body += part(found)
    for found in records[:1]:
        body.append("<h2>The machine</h2><pre>" + page.text(words(found["machine"])) + "</pre>")
    path.write_text(page.document("The broadcast paper", body))
