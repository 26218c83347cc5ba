"""The HTML report of openmp/overheads.c: a table of constructs and runtimes for each size of team,
with the goals: ours is the lowest if there are many times more members than CPUs, and within a
tenth of the best for teams of one and two."""

from . import report
from .loop_page import page

SECTION = "overheads"


def of_size(results, threads):
    """{construct: figure} at one size of team."""
    found = {}
    for key, figure in results["figures"].items():
        if figure["section"] == SECTION and key.endswith(f"@{threads}"):
            found[key.split(".", 1)[1].rsplit("@", 1)[0]] = figure
    return found


def sizes(results):
    return sorted(
        {
            int(key.rsplit("@", 1)[1])
            for key, figure in results["figures"].items()
            if figure["section"] == SECTION
        }
    )


def behind(figure, threads):
    """How many times the best peer's median ours is, for the worse of our columns; None where that
    is good enough."""
    medians = {name: result["median"] for name, result in figure["results"].items()}
    ours = [medians[name] for name in figure["ours"] if name in medians]
    peers = [value for name, value in medians.items() if name not in figure["ours"]]
    if not ours or not peers or min(peers) <= 0:
        return None
    ratio = max(ours) / min(peers)
    return ratio if ratio > (1.0 if threads > 2 else 1.1) else None


def parts(results):
    body = [
        "<h1>OpenMP: what every construct costs</h1>",
        (
            "<p>Microseconds for one construct with an empty body: median of the processes' medians"
            " (smallest minimum). Marked are rows in which the slower of our two builds is behind"
            " the best peer: by more than a tenth in teams of one and two, by anything in larger"
            " ones.</p>"
        ),
    ]
    for threads in sizes(results):
        figures = of_size(results, threads)
        columns = next(iter(figures.values()))["columns"]
        late = {name: behind(figure, threads) for name, figure in figures.items()}
        body.append(f"<h2>Teams of {threads}</h2>")
        body.append(
            f"<p>{sum(ratio is None for ratio in late.values())} of {len(late)} constructs as asked"
            " for.</p>"
        )
        rows = [["construct", *columns, "behind the best peer"]]
        for name, figure in figures.items():
            cells = [
                report.cell(figure["results"].get(column), figure["errors"].get(column))
                for column in columns
            ]
            rows.append([name, *cells, f"{late[name]:.2f} ×" if late[name] else ""])
        body.append(page.table(rows))
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
    return body


def write(path, results):
    """Writes the page when the overheads were measured; returns whether it did."""
    if not sizes(results):
        return False
    with open(path, "w", encoding="utf-8") as file:
        file.write(page.document("Artel: OpenMP overheads", parts(results)))
    return True
