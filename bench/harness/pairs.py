"""Numbers and a table from pairs of runs, each with one under the stock runtime and one under ours.
Pure functions."""

from . import report, statistics

ALLOWED = 1.05  # ours / stock: a higher ratio is called slower


def order(pairs):
    """The order of the runs: the side that begins changes from pair to pair, so that a machine that
    warms up favours neither."""
    return [
        side
        for number in range(pairs)
        for side in (("stock", "artel"), ("artel", "stock"))[number % 2]
    ]


def summarise(runs):
    """{"stock": median, "artel": median, "ratio": median, lowest and highest of the pairs'} of
    {"stock": [seconds], "artel": [seconds]}, where seconds are a process's median; None when a side
    has none."""
    ratios = [ours / stock for stock, ours in zip(runs["stock"], runs["artel"]) if stock > 0]
    if not ratios:
        return None
    return {
        "stock": statistics.median(runs["stock"]),
        "artel": statistics.median(runs["artel"]),
        "ratio": statistics.median(ratios),
        "lowest": min(ratios),
        "highest": max(ratios),
        "pairs": len(ratios),
    }


def verdict(summary):
    """The verdict in a word: a ratio other than 1 counts only when almost all pairs agree."""
    if summary["ratio"] > ALLOWED:
        return "SLOWER" if summary["lowest"] > 1 else "slower in the median, not in all pairs"
    if summary["ratio"] < 1 / ALLOWED:
        return "faster" if summary["highest"] < 1 else "faster in the median, not in all pairs"
    return "alike"


def table(results):
    """results: {"machine": ..., "workloads": {name: {"what", "nested", "threads", "summary" or
    None, "error", "disturbed"}}, "left_out": {name: why}}; the text."""
    lines = report.machine_lines(results["machine"])
    lines.append(
        "seconds: median of the processes' medians; ratio: artel / stock, median of the pairs"
        " (lowest to highest)"
    )
    for nested, title in (
        (False, "one team at a time"),
        (True, "teams within teams, or beside each other"),
    ):
        rows = [["workload", "threads", "stock s", "artel s", "ratio", "verdict", "what it is"]]
        for name, entry in results["workloads"].items():
            if entry["nested"] != nested:
                continue
            summary = entry["summary"]
            if summary is None:
                rows.append(
                    [name, str(entry["threads"]), "-", "-", "-", entry["error"], entry["what"]]
                )
                continue
            ratio = f"{summary['ratio']:.2f} ({summary['lowest']:.2f} to {summary['highest']:.2f})"
            rows.append(
                [
                    name,
                    str(entry["threads"]),
                    statistics.significant(summary["stock"]),
                    statistics.significant(summary["artel"]),
                    ratio,
                    entry["error"] or verdict(summary),
                    entry["what"],
                ]
            )
        if len(rows) > 1:
            lines += ["", f"== {title} ==", *report.layout(rows)]
    for name, why in results["left_out"].items():
        lines += ["", f"left out: {name}: {why}"]
    disturbed = [
        f"{name} ({entry['disturbed']})"
        for name, entry in results["workloads"].items()
        if entry["disturbed"]
    ]
    if disturbed:
        lines += [
            "",
            "Processes beside which others used the CPUs at each try: " + ", ".join(disturbed),
        ]
    return "\n".join(lines) + "\n"
