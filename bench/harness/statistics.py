"""Numbers out of repeated processes. Pure functions, no clock and no files.

A process prints, per measure, the median, minimum and 90th percentile of its samples. Processes
differ from each other (memory layout, which CPU the kernel chose) more than samples of one process
do, so what is reported is the median over processes of their medians, and the smallest of their
minima."""

import math


def median(values):
    """The middle of a non-empty list; the mean of the two middle values when there are two."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def combine(lines):
    """One summary of the JSON lines that several processes printed for the same measure; None for
    an empty list."""
    if not lines:
        return None
    medians = [line["median"] for line in lines]
    return {
        "unit": lines[0]["unit"],
        "median": median(medians),
        "min": min(line["min"] for line in lines),
        "p90": median([line["p90"] for line in lines]),
        "spread": max(medians) / min(medians) if min(medians) > 0 else math.inf,
        "processes": len(lines),
        "library": lines[0].get("library", ""),
        "extra": {
            key: value
            for key, value in lines[-1].items()
            if key in ("size", "ideal_us", "item_us", "missed")
        },
    }


def interleave(names, rounds):
    """The order of processes: every name once per round, each round starting one name further on. A
    drift of the machine (heat, other guests) then affects all alike, and none always runs just
    after the same other one."""
    order = []
    for turn in range(rounds):
        start = turn % len(names) if names else 0
        order.extend(names[start:] + names[:start])
    return order


def significant(value, digits=3):
    """A number for people: `digits` significant digits, no exponent between a thousandth and a
    million."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return "inf"
    if abs(value) >= 10**digits:
        return f"{value:.0f}" if abs(value) < 1e7 else f"{value:.2e}"
    if abs(value) < 1e-3:
        return f"{value:.1e}"
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{max(decimals, 0)}f}"
