"""The comparison as numbers: one row per program, used by the table on the terminal, the page and
results.json."""

import agree

QUANTITIES = (
    # attribute of measure.Run, heading, unit, decimals
    ("wall", "wall time", "s", 2),
    ("cpu", "CPU time", "s", 2),
    ("threads", "threads created", "", 0),
    ("switches", "context switches", "", 0),
)


def summarize(result):
    """Medians and ratios of one program: {quantity: {"stock": median, "artel": median, "ratio":
    ...}}.

    result: {"stock": [Run], "artel": [Run], ...}. The ratio of times is the median over pairs, of
    counts that of the medians, because pairs with a zero have none."""
    summary = {}
    for quantity, _, unit, _ in QUANTITIES:
        stock = agree.median([getattr(run, quantity) for run in result["stock"] if not run.failure])
        artel = agree.median([getattr(run, quantity) for run in result["artel"] if not run.failure])
        pairs = [
            (a, b)
            for a, b in zip(result["stock"], result["artel"])
            if not a.failure and not b.failure
        ]
        ratios = (
            agree.pair_ratios([a for a, _ in pairs], [b for _, b in pairs], quantity)
            if unit
            else []
        )
        summary[quantity] = {
            "stock": stock,
            "artel": artel,
            "ratio": agree.median(ratios) if unit else agree.ratio(stock, artel),
            "pair_ratios": ratios,
        }
    return summary


def number(value, decimals=0, bound=""):
    """A number for people: 1234567 as 1,234,567; a dash for what is not known."""
    if value is None:
        return "-"
    return f"{bound}{value:,.{decimals}f}"


def times(value):
    """A ratio for people: 12.3x, 1.04x; a dash for what is not known."""
    if value is None:
        return "-"
    return (
        f"{value:.0f}x" if value >= 99.5 else f"{value:.1f}x" if value >= 9.95 else f"{value:.2f}x"
    )


def rows(results):
    """Table cells, all of them text: [name, (stock, artel, ratio) per quantity..., answer]."""
    table = []
    for result in results:
        cells = [result["program"].name]
        for quantity, _, _, decimals in QUANTITIES:
            entry = result["summary"][quantity]
            for side in ("stock", "artel"):
                bounded = quantity == "threads" and not all(
                    run.threads_exact for run in result[side]
                )
                cells.append(number(entry[side], decimals, "≤" if bounded else ""))
            cells.append(times(entry["ratio"]))
        cells.append("same" if not result["complaints"] else "WRONG")
        table.append(cells)
    return table


def as_text(results, ours="artel"):
    """The table for a terminal, as lines. ours: what the second column of each three is called."""
    first = (
        [""]
        + [
            part
            for _, heading, unit, _ in QUANTITIES
            for part in (heading + (f" ({unit})" if unit else ""), "", "")
        ]
        + [""]
    )
    second = ["program"] + ["stock", ours, "ratio"] * len(QUANTITIES) + ["answer"]
    body = rows(results)
    widths = [max(len(row[i]) for row in [second, *body]) for i in range(len(second))]
    for group in range(len(QUANTITIES)):  # a heading spans three columns
        columns = range(1 + 3 * group, 4 + 3 * group)
        lacking = len(first[columns[0]]) - (sum(widths[i] for i in columns) + 2 * 2)
        widths[columns[0]] += max(0, lacking)
    lines = []
    heading = first[0].ljust(widths[0])
    for group in range(len(QUANTITIES)):
        columns = range(1 + 3 * group, 4 + 3 * group)
        heading += "  " + first[columns[0]].center(sum(widths[i] for i in columns) + 2 * 2)
    lines.append(heading.rstrip())
    for row in [second, *body]:
        cells = [row[0].ljust(widths[0])] + [
            cell.rjust(width) for cell, width in zip(row[1:], widths[1:])
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(2, "-" * max(len(line) for line in lines))
    return lines


def verdict(results, both_stock=False):
    """The outcome in a sentence or two."""
    ratios = [result["summary"]["wall"]["ratio"] for result in results if not result["complaints"]]
    ratios = [value for value in ratios if value is not None]
    wrong = [result["program"].name for result in results if result["complaints"]]
    parts = []
    if ratios:
        ours = "stock again" if both_stock else "Artel"
        faster = sum(1 for value in ratios if value > 1.02)
        slower = sum(1 for value in ratios if value < 0.98)
        parts.append(
            f"Under {ours}, {faster} of {len(ratios)} programs were faster, {slower} slower and"
            f" {len(ratios) - faster - slower} within 2 %; the geometric mean of the wall-time"
            f" ratios stock / {'stock again' if both_stock else 'artel'} is"
            f" {times(agree.geometric_mean(ratios))}."
        )
    parts.append(
        "All pairs of runs gave the same answer."
        if not wrong
        else f"NOT in order: {', '.join(wrong)}."
    )
    return " ".join(parts)
