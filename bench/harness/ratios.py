"""The ratio of the loop suite's default to the best competitor: per size, and over the sizes of a
benchmark. Pure functions.

The best competitor is chosen anew at each size, from all schedules and settings, so it is one that
no program could use throughout; to equal it is more than to be faster than each of them.

The best of many that differ by chance only was lucky: with fifteen peers and noise of ten per cent
it seems some ten per cent better than each of them is. So there is a second, fair ratio: half of
the processes determine which peer is best, the other half our ratio to it, and then the other way
round. If a peer is really faster, but by less than the noise, the fair ratio shows less of that, as
the halves sometimes choose another peer. Targets are for the plain ratio."""

import dataclasses
import math

from . import loops
from .statistics import median

FEWEST = 4  # with fewer processes of a column its halves are too small


def _mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))


@dataclasses.dataclass
class Ratio:
    """One size of one benchmark."""

    size: int
    ours: float
    best: float
    name: str  # the best competitor
    # the probability of such a difference by chance (Mann-Whitney over the processes); None: not
    # known
    chance: float
    fair: float = None  # to a competitor that other processes chose; None: too few processes

    @property
    def ratio(self):
        return self.ours / self.best


@dataclasses.dataclass
class Standing:
    """One benchmark at one number of threads."""

    benchmark: str
    threads: int
    sizes: list
    errors: dict

    @property
    def mean(self):
        """Geometric mean of the ratios."""
        return _mean([size.ratio for size in self.sizes])

    @property
    def fair(self):
        """That of the fair ratios; None when one is missing."""
        ratios = [size.fair for size in self.sizes]
        return None if None in ratios else _mean(ratios)

    @property
    def worst(self):
        return max(self.sizes, key=lambda size: size.ratio)

    def verdict(self, target):
        """target: {"mean": ..., "worst": ...} or None."""
        if target is None:
            return ""
        if self.mean <= target["mean"] and self.worst.ratio <= target["worst"]:
            return "met"
        return "missed"


def figures_of(results, benchmark, threads):
    """The figures of one benchmark, as (size, figure), by size."""
    found = []
    for key, figure in results["figures"].items():
        name, _, count = key.rpartition("@")
        if name.startswith(f"loops.{benchmark}/") and count == str(threads):
            found.append((int(name.rpartition("/")[2]), figure))
    return sorted(found, key=lambda each: each[0])


def runs(results):
    """(benchmark, threads) of all that was measured, in the order of the suite."""
    measured = {
        (key.split(".", 1)[1].rpartition("/")[0], int(key.rpartition("@")[2]))
        for key in results["figures"]
        if key.startswith("loops.") and "/" in key
    }
    order = [benchmark.name for benchmark in loops.BENCHMARKS]
    return sorted(
        (each for each in measured if each[0] in order),
        key=lambda each: (each[1], order.index(each[0])),
    )


def medians(figure, column):
    """The medians that each process of a column measured."""
    return [line["median"] for line in figure["processes"].get(column, [])]


def fair_ratio(figure, ours, peers):
    """The ratio of ours to the best of `peers`: every second process determines the best one, the
    others the ratio; both ways, of which the result is the geometric mean. Peers with too few
    processes are left out; None when we have too few, or no peer is left."""
    peers = [name for name in peers if len(medians(figure, name)) >= FEWEST]
    halves = [
        {name: medians(figure, name)[start::2] for name in (ours, *peers)} for start in (0, 1)
    ]
    if len(medians(figure, ours)) < FEWEST or not peers:
        return None
    found = []
    for choosing, measuring in (halves, reversed(halves)):
        best = min(peers, key=lambda name, half=choosing: median(half[name]))
        found.append(median(measuring[ours]) / median(measuring[best]))
    return _mean(found)


def standing(results, benchmark, threads, test=None, ours=loops.OURS):
    """The Standing of one benchmark, None when ours or all others are missing. test(a, b) gives the
    probability of chance."""
    sizes, errors = [], {}
    for size, figure in figures_of(results, benchmark, threads):
        errors.update(figure["errors"])
        peers = {
            name: result["median"]
            for name, result in figure["results"].items()
            if name not in figure["ours"] and name != loops.FLOOR
        }
        mine = figure["results"].get(ours)
        if mine is None or not peers:
            continue
        best = min(peers, key=peers.get)
        chance = test(medians(figure, ours), medians(figure, best)) if test else None
        sizes.append(
            Ratio(size, mine["median"], peers[best], best, chance, fair_ratio(figure, ours, peers))
        )
    return Standing(benchmark, threads, sizes, errors) if sizes else None


def standings(results, test=None):
    """All of them."""
    found = [standing(results, benchmark, threads, test) for benchmark, threads in runs(results)]
    return [each for each in found if each is not None]


def rows(found, targets):
    """A table, as rows of cells with a heading: per benchmark the mean, the worst size, the target,
    and each size's ratio."""
    table = [
        [
            "benchmark",
            "threads",
            "mean",
            "fair",
            "worst",
            "at",
            "best there",
            "target",
            "verdict",
            "ratio at each size (best competitor)",
        ]
    ]
    for each in found:
        target = targets.get(f"{each.benchmark}@{each.threads}")
        wanted = f"{target['mean']:.2f} / {target['worst']:.2f}" if target else "-"
        worst = each.worst
        doubt = [size.chance is not None and size.chance >= 0.05 for size in each.sizes]
        spread = "  ".join(
            f"{size.size}: {size.ratio:.2f}{'~' if doubtful else ''} {size.name}"
            for size, doubtful in zip(each.sizes, doubt)
        )
        table.append(
            [
                each.benchmark,
                str(each.threads),
                f"{each.mean:.2f}",
                "-" if each.fair is None else f"{each.fair:.2f}",
                f"{worst.ratio:.2f}",
                str(worst.size),
                worst.name,
                wanted,
                each.verdict(target),
                spread,
            ]
        )
    return table
