"""Two result files of bench/run: which figures changed by more than their noise. The test is
Mann-Whitney's on the medians of the processes (scipy's), with the share of false alarms limited by
the method of Benjamini and Hochberg."""

import math

from .statistics import median, significant

ALARMS = 0.05  # share of the reported changes that may be chance
SMALLEST = 0.02  # smaller changes are not reported, however certain they are
FEWEST = 4  # with fewer processes on either side the test cannot decide at this level


class NoTest(Exception):
    """scipy is not installed."""


def mann_whitney():
    """test(a, b): the probability of a difference like that of these samples if both have the same
    distribution; None when they are too few."""
    try:
        from scipy.stats import mannwhitneyu  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        raise NoTest("the comparison needs scipy (Debian: python3-scipy)") from error

    def test(left, right):
        if min(len(left), len(right)) < FEWEST:
            return None
        if len(set(left) | set(right)) == 1:
            return 1.0
        return float(mannwhitneyu(left, right, alternative="two-sided").pvalue)

    return test


def sure(chances, alarms=ALARMS):
    """Which of these probabilities are changes, so that at most `alarms` of those are false; a list
    of bool."""
    order = sorted(range(len(chances)), key=lambda i: chances[i])
    last = 0
    for rank, i in enumerate(order, 1):
        if chances[i] <= alarms * rank / len(chances):
            last = rank
    kept = set(order[:last])
    return [i in kept for i in range(len(chances))]


def well_formed(results):
    """Whether this value, read from JSON, has the members that changes() reads."""

    def processes(figure):
        return (
            isinstance(figure, dict)
            and isinstance(figure.get("ours"), list)
            and isinstance(figure.get("processes"), dict)
        )

    def line(one):
        return isinstance(one, dict) and isinstance(one.get("median"), (int, float))

    figures = results.get("figures") if isinstance(results, dict) else None
    return isinstance(figures, dict) and all(
        processes(figure)
        and all(
            isinstance(lines, list) and all(map(line, lines))
            for lines in figure["processes"].values()
        )
        for figure in figures.values()
    )


def changes(before, after, test):
    """One record per figure and column that both files have: {"figure", "column", "ours", "before",
    "after", "ratio", "chance", "sure"}; ratio above 1 is slower."""
    found = []
    for key, figure in before["figures"].items():
        other = after["figures"].get(key)
        if other is None:
            continue
        for column, lines in figure["processes"].items():
            left = [line["median"] for line in lines]
            right = [line["median"] for line in other["processes"].get(column, [])]
            if not left or not right or median(left) <= 0 or median(right) <= 0:
                continue
            found.append(
                {
                    "figure": key,
                    "column": column,
                    "ours": column in figure["ours"],
                    "before": median(left),
                    "after": median(right),
                    "ratio": median(right) / median(left),
                    "chance": test(left, right),
                }
            )
    tested = [each for each in found if each["chance"] is not None]
    for each in found:
        each["sure"] = False
    for each, yes in zip(tested, sure([each["chance"] for each in tested])):
        each["sure"] = yes and abs(each["ratio"] - 1) >= SMALLEST
    return found


def _mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio in ratios) / len(ratios))


def text(found, names):
    """(lines, exit code): 1 when one of our figures is certainly slower. names: of the two
    files."""
    if not found:
        return [f"{names[0]} and {names[1]} have no figure in common"], 1
    lines = []
    ours = [each for each in found if each["ours"]]
    for title, some in (
        ("artel", ours),
        ("the others, which should not have changed", [each for each in found if not each["ours"]]),
    ):
        if some:
            lines.append(
                f"{title}: {len(some)} figures, geometric mean of after / before"
                f" {_mean([each['ratio'] for each in some]):.3f}, slower"
                f" {sum(each['sure'] and each['ratio'] > 1 for each in some)}, faster"
                f" {sum(each['sure'] and each['ratio'] < 1 for each in some)}"
            )
    untested = sum(each["chance"] is None for each in found)
    if untested:
        lines.append(
            f"{untested} of {len(found)} have fewer than {FEWEST} processes on a side: too few for"
            " the test"
        )
    for each in sorted((each for each in found if each["sure"]), key=lambda each: -each["ratio"]):
        lines.append(
            f"  {'slower' if each['ratio'] > 1 else 'faster'}  x{each['ratio']:.3f} "
            f" {each['figure']}  {each['column']}: {significant(each['before'])} ->"
            f" {significant(each['after'])}  (p = {each['chance']:.3f})"
        )
    worse = any(each["sure"] and each["ratio"] > 1 for each in ours)
    lines.append(
        "Something of ours is slower." if worse else "Nothing of ours is slower beyond noise."
    )
    return lines, 1 if worse else 0
