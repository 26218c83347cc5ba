"""Whether runs gave the same answer, and the numbers that summarise a comparison. Pure
functions."""

import math
import statistics


def result_lines(text):
    """The lines of a program's output that have to be equal between runs."""
    return [line.rstrip() for line in text.splitlines() if line.startswith("result:")]


def disagreements(stock, artel):
    """One sentence per thing that is wrong with the pairs of runs; empty when everything agrees.

    stock, artel: lists of measure.Run of equal length, in the order in which they ran.
    """
    complaints = []
    reference = next((run.answer for run in stock if not run.failure and run.answer), None)
    for side, runs in (("stock", stock), ("artel", artel)):
        for number, run in enumerate(runs, 1):
            if run.failure:
                complaints.append(f"run {number} under {side}: {run.failure}")
            elif not run.answer:
                complaints.append(f"run {number} under {side} printed no result")
            elif reference is not None and run.answer != reference:
                complaints.append(
                    f"run {number} under {side} disagrees:"
                    f" {first_difference(reference, run.answer)}"
                )
    return complaints


def first_difference(expected, found):
    """The first line in which two answers differ, in words."""
    for left, right in zip(expected, found):
        if left != right:
            return f"'{right}' instead of '{left}'"
    return f"{len(found)} result lines instead of {len(expected)}"


def wrong_runtime(stock, artel, both_stock=False):
    """A sentence when the runtime that was seen in a process is not the intended one; else empty.

    Programs that ended before they could be examined count as correct."""
    for side, runs, want_ours in (("stock", stock, False), ("artel", artel, not both_stock)):
        for run in runs:
            if run.runtime is not None and ("artel" in run.runtime) != want_ours:
                return f"the run under {side} used {run.runtime}"
    return ""


def median(values):
    """Median of the values that are known; None when none is."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def ratio(stock, artel):
    """stock / artel, above 1 when artel used less; None when one is not known."""
    if stock is None or artel is None or artel <= 0 or stock <= 0:
        return None
    return stock / artel


def pair_ratios(stock, artel, quantity):
    """The ratio of each pair: runs made right after each other saw the same machine."""
    ratios = (ratio(getattr(a, quantity), getattr(b, quantity)) for a, b in zip(stock, artel))
    return [value for value in ratios if value is not None]


def geometric_mean(values):
    """The geometric mean; None of nothing."""
    return math.exp(statistics.fmean(math.log(value) for value in values)) if values else None
