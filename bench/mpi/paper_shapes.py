"""Whether a measured curve has the shape of the paper's: one function for each figure. Each returns
its finding (True, False, or None if it cannot decide) and one sentence. Points are pairs (x, y) in
ascending x."""
from __future__ import annotations

import math
import statistics
from typing import Optional

import paper_model as model

Points = list[tuple[float, float]]
Verdict = tuple[Optional[bool], str]

NEAR = 1.05  # up to this many times the least value counts as equally good


def size(number: float) -> str:
    """8192 as "8 KiB"."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if number >= unit:
            return f"{number / unit:.4g} {name}"
    return f"{number:.4g} bytes"


def sizes(numbers: list) -> str:
    return ", ".join(size(n) for n in numbers)


def per_cent(part: float) -> str:
    return f"{100 * part:.0f} %"


def holds(found: bool) -> str:
    return "The shape holds: " if found else "The shape does not hold: "


def best_x(points: Points) -> float:
    return min(points, key=lambda p: p[1])[0]


def as_good(points: Points) -> list[float]:
    """All x as good as the best one."""
    least = min(y for _, y in points)
    return [x for x, y in points if y <= NEAR * least]


def overlap(one: list, other: list) -> float:
    """How long two rows of (begin, end) go on at the same time."""
    return sum(max(0.0, min(a[1], b[1]) - max(a[0], b[0])) for a in one for b in other)


def steps(cases: dict[str, list[model.Bar]]) -> Verdict:
    """Figure 3: with one buffer nothing overlaps; with a queue copies overlap, and the root waits
    where it starts again at the queue's beginning; with two sets it continues in the second one
    without waiting."""

    def copies(bars: list, rank: int) -> list:
        return [(b.begin, b.end) for b in bars if b.rank == rank and b.step == "C"]

    def times(bars: list, rank: int, step: str) -> list:
        return [b for b in bars if b.rank == rank and b.step == step]

    def shared(bars: list) -> float:
        return overlap(copies(bars, 0), copies(bars, 1)) / sum(e - b for b, e in copies(bars, 0))

    a, b, c = cases["a"], cases["b"], cases["c"]
    waits_in_b = times(b, 0, "WS")[1].end >= times(b, 1, "A")[0].begin
    waits_in_c = times(c, 0, "WS")[1].end >= times(c, 1, "A")[0].begin
    found = shared(a) == 0 and shared(b) > 0.1 and waits_in_b and not waits_in_c
    return found, (
        f"{holds(found)}of the time that the root copies, a leaf copies too for "
        f"{per_cent(shared(a))} with one buffer and {per_cent(shared(b))} with four; with one set "
        f"the root {'waits' if waits_in_b else 'does not wait'} for the leaf before it begins the "
        f"queue anew, with two it {'waits too' if waits_in_c else 'goes on into the second one'}."
    )


def valley(points: Points, wanted: float, what: str) -> Verdict:
    """Figure 4: t falls, then rises, and is least around f*."""
    least = min(y for _, y in points)
    nearest = min(points, key=lambda p: abs(math.log(p[0] / wanted)))
    found = nearest[1] <= 1.1 * least and points[0][1] > least and points[-1][1] > least
    return found, (
        f"{holds(found)}t is least at f = {size(best_x(points))}; near f* = {size(wanted)} of "
        f"{what} it is {per_cent(nearest[1] / least - 1)} above that."
    )


def good_fragments(panels: dict[str, Points]) -> Verdict:
    """Figure 5: 8 or 12 KiB are best, or as good."""
    told, found = [], True
    for name, points in panels.items():
        good = [x for x in as_good(points) if x in (8192, 12288)]
        found = found and bool(good)
        told.append(
            f"{name}: least at {size(best_x(points))}, within 5 % of it {sizes(as_good(points))}"
        )
    return (
        found,
        f"{holds(found)}the paper's best fragments are 8 and 12 KiB; here {'; '.join(told)}.",
    )


def falling(points: Points, alone: float) -> Verdict:
    """Figure 6: t falls with s, first fast, then hardly, and stays between t(s = 1) and half of
    it."""
    ys = [y for _, y in points]
    falls = all(later <= earlier * NEAR for earlier, later in zip(ys, ys[1:]))
    first, last = ys[0] - ys[len(ys) // 2], ys[len(ys) // 2] - ys[-1]
    found = falls and first >= last and ys[-1] < alone
    return found, (
        f"{holds(found)}t {'falls with s' if falls else 'does not fall with s throughout'}, to "
        f"{per_cent(ys[-1] / alone)} of t(s = 1); the model's limit is 50 %."
    )


def pipelined(ratios: dict[int, Points], fragment: int) -> Verdict:
    """Figure 7: nothing is gained up to f; 30 % with two buffers at 2 f, 40 to 46 with four at
    4 f."""

    def at(length: int) -> float:
        return min(ratios[length], key=lambda p: abs(p[0] - length * fragment))[1]

    small = [y for points in ratios.values() for x, y in points if x <= fragment]
    around = statistics.median(small) if small else 1.0
    gains = {length: 1 - at(length) for length in (2, 4) if length in ratios}
    found = abs(around - 1) <= 0.1 and all(gain >= 0.15 for gain in gains.values())
    told = ", ".join(
        f"s = {length} takes {per_cent(gain)} less at {size(length * fragment)} (the paper: "
        f"{'30 %' if length == 2 else '40 to 46 %'})"
        for length, gain in gains.items()
    )
    return (
        found,
        f"{holds(found)}up to f every queue takes {around:.2f} times what s = 1 does; {told}.",
    )


def teeth(points: Points, rounds: list[int], predicted: list[float]) -> Verdict:
    """Figures 8 and 9: where ceil(m/b) is constant, t rises with f; where it falls, t falls."""
    agree = total = 0
    for i in range(len(points) - 1):
        expected = predicted[i + 1] - predicted[i]
        if expected == 0:
            continue
        total += 1
        agree += (points[i + 1][1] - points[i][1]) * expected > 0
    edges = sum(a != b for a, b in zip(rounds, rounds[1:]))
    found = total > 0 and agree >= 0.75 * total
    return found, (
        f"{holds(found)}of {total} steps from one f to the next {agree} go where the model has "
        f"them go, over {edges} edges of ceil(m/b); chance alone gives half."
    )


def best_tree(ratios: dict[str, Points]) -> Verdict:
    """Figure 10: binary tree and chain are the fastest."""
    means = {
        name: statistics.geometric_mean([y for _, y in points]) for name, points in ratios.items()
    }
    order = sorted(means, key=lambda name: means[name])
    found = (
        order[0] in ("chain", "2-ary")
        or min(means["chain"], means["2-ary"]) <= NEAR * means[order[0]]
    )
    told = ", ".join(f"{name} {means[name]:.2f}" for name in order)
    return found, (
        f"{holds(found)}the paper has chain and binary tree first; here the means over all sizes, "
        f"in times of flat, are {told}."
    )


def read_ahead(shares: dict[str, float]) -> Verdict:
    """Figure 11, by pages: the share at home with read-ahead on and off."""
    on, off = shares["on"], shares["off"]
    found = off == 1.0 and on < off
    rest = (
        ""
        if found
        else (
            " There is nothing to read ahead in memory file systems: a page comes when it is "
            "touched."
            if on == off == 1.0
            else ""
        )
    )
    return found, (
        f"{holds(found)}{per_cent(on)} of the pages lie on their rank's NUMA node with reading "
        f"ahead, {per_cent(off)} with MADV_RANDOM.{rest}"
    )


def mean_gains(ratios: dict[str, Points]) -> dict[str, float]:
    """The share of time that is saved, the mean over the sizes."""
    return {
        name: 1 - statistics.fmean(y for _, y in points)
        for name, points in ratios.items()
        if points
    }


def gain(
    by_protocol: dict[str, Points], as_it_is: dict[str, Points], least: float, most: float
) -> Verdict:
    """Figures 12 and 13: the time that the paper's protocol saves, and that ours saves."""
    means, own = mean_gains(by_protocol), mean_gains(as_it_is)
    if not means:
        return None, "Nothing was measured."

    def told(gains: dict[str, float]) -> str:
        return "; ".join(
            f"{name}: {abs(100 * g):.0f} % {'less' if g >= 0 else 'more'}"
            for name, g in gains.items()
        )

    found = all(mean >= least for mean in means.values())
    return found, (
        f"{holds(found)}the paper has {100 * least:.0f} to {100 * most:.0f} % less, its protocol"
        f" here {told(means)}." + (f" Ours as it is: {told(own)}." if own else "")
    )


def printed(first_column: list[float]) -> Verdict:
    """Table 1."""
    found = [round(b / model.MI) for b in first_column] == list(model.PRINTED)
    return found, (
        f"{holds(found)}b = f s gives the paper's {len(model.PRINTED)} sizes of s = f/2"
        + ("." if found else " not everywhere.")
    )
