"""The tables of docs/performance.md whose results are kept as the text that a benchmark printed."""

import re

from layout import RESULTS, table
from harness.statistics import significant

INNER = re.compile(r"^inner-(\S+)@(\d+)((?: +[\d.]+ \( *[\d.]+\))+)$")


def inner(name="openmp-inner-2cpu-2026-11-24.txt"):
    """Nested regions of small inner teams: medians with minima in brackets.

    The lowest median of a row is bold.
    """
    text = (RESULTS / name).read_text()
    columns = [
        c.replace("after", "artel")
        for c in re.search(r"^\[(.*)\]$", text, re.MULTILINE)[1].replace("'", "").split(", ")
    ]
    shown = [i for i, column in enumerate(columns) if column != "before"]
    what = {"loop-25": "25 × 25 empty iterations", "loop-64": "64 × 64 empty iterations"}
    rows = []
    for line in text.splitlines():
        found = INNER.match(line)
        if not found:
            continue
        cells = [
            (float(m), float(least))
            for m, least in re.findall(r"([\d.]+) \( *([\d.]+)\)", found[3])
        ]
        best = min(cells[i][0] for i in shown)
        crew, _, length = found[1].partition("-")
        title = what.get(found[1], f"{length.replace('us', ' µs')}, crew {crew}")
        texts = (f"{significant(cells[i][0])} ({significant(cells[i][1])})" for i in shown)
        rows.append(
            [
                title,
                found[2],
                *(f"**{t}**" if cells[i][0] == best else t for t, i in zip(texts, shown)),
            ]
        )
    return table(["inner region of", "threads", *(columns[i] for i in shown)], rows)


def inlined(name="inlined-2cpu-2026-11-23.txt"):
    """Time of the default partitioner over the better of a plain loop and static_, by minima.

    A column for each compiler and its options.
    """
    settings, ratios = [], {}
    for line in (RESULTS / name).read_text().splitlines():
        words = line.split()
        if line.startswith("instructions per loop"):
            break
        if line.startswith("== "):
            settings.append(line[3:].replace("++-", "++ "))
        elif len(words) == 9 and settings:
            plain, automatic, static = (float(w) for w in words[1:4])
            ratios.setdefault(words[0], []).append(automatic / min(plain, static))
    rows = [
        [body.replace("_", " "), *(f"{r:.2f}" for r in found)] for body, found in ratios.items()
    ]
    return table(["body", *settings], rows)


def wakeups(name="wakeups-2cpu-2026-11-26.txt"):
    """Wake-ups of workers per 1000 calls, those of them that found nothing, and CPU time."""
    rows = []
    for line in (RESULTS / name).read_text().splitlines()[1:]:
        construct, width, wait, all_of_them, vain, _, load, *_ = line.split()
        if construct != "plain":
            rows.append([construct, width, wait, all_of_them, vain, load])
    columns = ["call", "workers", "ARTEL_WAIT", "wake-ups", "in vain", "CPU time / main thread's"]
    return table(columns, rows)


TABLES = {"inner": inner, "inlined": inlined, "wakeups": wakeups}
