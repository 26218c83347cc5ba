"""Results as a table: ours beside every peer, the target, and a verdict in words. Pure text; no
measuring."""

from . import compare, ratios
from .statistics import significant

# Columns that show the least time that the machine needs; no runtime is expected to be faster.
FLOORS = {"call", "threads", "boost-context", "parallel_for"}

# Medians of the processes of one runtime further apart than this factor: there are two modes (both
# threads on one CPU, for instance), and the median says which was more frequent, not how fast
# either is.
UNSTEADY = 2.0


def verdict(ours, peers, target, statistic, anchors, unpackaged):
    """The verdict on one figure. ours, peers: combined results (peers by name; floors left out by
    the caller's choice of peers); anchors: {name: [low, high]}. Returns "" when ours was not
    measured."""
    if ours is None:
        return ""
    parts = []
    value = ours[statistic]
    if target is not None:
        parts.append("met" if value <= target else f"missed x{significant(value / target, 2)}")
    rivals = {name: result["median"] for name, result in peers.items() if name not in FLOORS}
    rivals.update(
        {f"{name} (anchor)": low for name, (low, _high) in anchors.items() if name in unpackaged}
    )
    if rivals:
        best = min(rivals, key=rivals.get)
        median = ours["median"]
        if median <= rivals[best]:
            factor = rivals[best] / median if median > 0 else float("inf")
            parts.append(f"ahead of {best} x{significant(factor, 2)}")
        else:
            factor = median / rivals[best] if rivals[best] > 0 else float("inf")
            parts.append(f"behind {best} x{significant(factor, 2)}")
    return ", ".join(parts)


def anchor_text(anchors):
    """The issue's own figures, e.g. "libgomp 0.65-0.83, BOLT 0.68-0.8"."""
    texts = []
    for name, (low, high) in anchors.items():
        span = significant(low) if low == high else f"{significant(low)}-{significant(high)}"
        texts.append(f"{name} {span}")
    return ", ".join(texts)


def cell(result, error):
    """One table cell: "median (minimum)", or why there is none. "~": processes differed widely;
    "!": some failed."""
    if result is not None:
        doubt = "~" if result["spread"] > UNSTEADY else ""
        return f"{doubt}{significant(result['median'])} ({significant(result['min'])})" + (
            "!" if error else ""
        )
    return "failed" if error else "-"


def _row(key, figure, names, targets):
    wanted = targets["figures"].get(key, {})
    results = figure["results"]
    cells = [cell(results.get(name), figure["errors"].get(name)) for name in names]
    peers = {name: result for name, result in results.items() if name not in figure["ours"]}
    best = None
    for name in figure["ours"]:
        if name in results and (best is None or results[name]["median"] > best["median"]):
            best = results[name]  # the worse of ours, when there are two
    unit = next((result["unit"] for result in results.values()), "")
    target = wanted.get("target")
    said = verdict(
        best,
        peers,
        target,
        wanted.get("statistic", "median"),
        wanted.get("anchors", {}),
        targets["unpackaged"],
    )
    return [
        key.split(".", 1)[1],
        unit,
        significant(target) if target is not None else "-",
        *cells,
        said,
    ]


def layout(rows):
    """Rows of cells as aligned lines; the first row is the heading."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for number, row in enumerate(rows):
        lines.append("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
        if number == 0:
            lines.append("  ".join("-" * width for width in widths))
    return lines


def machine_lines(machine):
    """The head of a report: what it was measured on."""
    libraries = ", ".join(f"{name} {version}" for name, version in machine["libraries"].items())
    return [
        (
            f"{machine['time']}, {machine['cpu']},"
            f" {machine['cpus']} CPUs{' (virtual)' if machine['hypervisor'] else ''}, Linux"
            f" {machine['kernel']}, governor: {machine['governor']}, load before:"
            f" {' '.join(machine['load_before'])}"
        ),
        f"{machine['compilers']['gcc']}; {machine['compilers']['clang']}",
        f"{libraries}; artel {machine['artel']}",
    ]


def test_or_none():
    """The test that tells noise from difference, None without scipy."""
    try:
        return compare.mann_whitney()
    except compare.NoTest:
        return None


def loop_lines(results, targets):
    """The loop suite: the ratios of the default to the best competitor, then a table per benchmark,
    with a line per column."""
    found = ratios.standings(results, test_or_none())
    lines = []
    if found:
        lines += [
            "",
            (
                "== loops: time of artel / time of the best competitor at that size; ~: such a"
                " difference may be chance;"
            ),
            "   fair: to the one that every second process says is best, by the others ==",
        ]
        lines += layout(ratios.rows(found, targets.get("loops", {})))
    for benchmark, threads in ratios.runs(results):
        figures = ratios.figures_of(results, benchmark, threads)
        unit = next(
            (result["unit"] for _size, figure in figures for result in figure["results"].values()),
            "",
        )
        rows = [[f"{benchmark}@{threads}, {unit}", *(str(size) for size, _figure in figures)]]
        names = figures[0][1]["columns"]
        for name in names:
            cells = [
                cell(figure["results"].get(name), figure["errors"].get(name))
                for _size, figure in figures
            ]
            if any(text != "-" for text in cells):
                rows.append([name, *cells])
        lines += [""] + layout(rows)
    return lines


def text(results, targets):
    """The whole report: head, one table per section, remarks."""
    lines = machine_lines(results["machine"])
    lines.append(
        "cells: median of the processes' medians (smallest minimum); lower is better; "
        "~ processes differed more than twofold; ! some failed; "
        f"{results['rounds']} interleaved rounds, {results['seconds']} s each"
    )
    sections = {}
    for key, figure in results["figures"].items():
        if figure["section"].split()[0] == "loops":
            continue  # has tables of its own: there are too many columns for one table
        sections.setdefault(figure["section"], []).append((key, figure))
    for section, figures in sections.items():
        names = []
        for _key, figure in figures:
            names.extend(name for name in figure["columns"] if name not in names)
        names = [
            name
            for name in names
            if any(
                name in figure["results"] or name in figure["errors"] for _key, figure in figures
            )
        ]
        rows = [["figure", "unit", "target", *names, "verdict"]]
        rows.extend(_row(key, figure, names, targets) for key, figure in figures)
        lines += ["", f"== {section} =="] + layout(rows)
        for key, figure in figures:
            anchors = targets["figures"].get(key, {}).get("anchors")
            if anchors:
                lines.append(
                    f"  {key.split('.', 1)[1]}: figures to compare with: {anchor_text(anchors)}"
                )
    return "\n".join(lines + loop_lines(results, targets) + remarks(results)) + "\n"


def remarks(results):
    """What a reader has to know to judge the tables: disturbances, failures, columns that were left
    out."""
    lines = []
    disturbed = [
        (case["name"], case)
        for case in results["cases"]
        if case["others"] > 0.05 or case["steal"] > 0.02
    ]
    if disturbed and not results.get("near"):
        lines += [
            "",
            (
                f"THE MACHINE WAS BUSY during {len(disturbed)} of {len(results['cases'])} cases "
                "(CPUs used by others / stolen by the host):"
            ),
        ]
        lines += [
            f"  {name}: {case['others']:.2f} / {case['steal']:.2f}" for name, case in disturbed
        ]
    elif not disturbed and results["cases"]:
        lines += [
            "",
            (
                "The machine was quiet: others used under 0.05 CPUs during every case, steal under"
                " 0.02."
            ),
        ]
    near = results.get("near")
    if near:
        lines += [
            "",
            (
                f"Counted were {near['counted']} processes before and after which a bare round trip"
                f" between two CPUs took at most {near['limit_ns']:.0f} ns while others used them"
                f" little; {near['turned_away']} runs were turned away."
            ),
        ]
        if near["gave_up"]:
            lines.append(
                f"For {near['gave_up']} more no such moment came: their last run was taken."
            )
    problems = results["problems"]
    if problems:
        lines += ["", "Problems:"] + [f"  {problem}" for problem in problems]
    left_out = results["left_out"]
    if left_out:
        lines += ["", "Left out:"] + [f"  {name}: {why}" for name, why in sorted(left_out.items())]
    return lines
