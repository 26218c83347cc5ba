"""The analytic model of Kurnosov and Tokmasheva (2020), as the paper prints it, with the parameters
of its figures: the source of the paper's curves where it has no measurements. Sizes in bytes, times
in the unit of `Times.byte`."""
from __future__ import annotations

import dataclasses
import math

KI, MI = 1 << 10, 1 << 20


@dataclasses.dataclass(frozen=True)
class Times:
    byte: float  # t: one byte copied
    wait: float  # t_WO: until a set is seen to be open
    atomic: float  # t_A
    notify: float  # t_W: until a fragment is seen to be there


# Of the paper's figures 4, 6 and 8: t = 1e-9 s, t_WO = 100 t, t_A = 10 t, t_W = 50 t; here in
# microseconds.
PAPER = Times(1e-3, 100e-3, 10e-3, 50e-3)


def time(times: Times, message: int, fragment: int, length: float, sets: int = 1) -> float:
    """t(m, s) of the paper's section 5.2; with a queue of one buffer nothing overlaps. The paper
    lets s = b / f be any number."""
    fragments = math.ceil(message / fragment)
    if length == 1:
        return fragments * (times.wait + times.atomic + times.notify) + 2 * message * times.byte
    rounds = math.ceil(message / (fragment * length))
    first = times.byte * min(fragment, message)
    # With several sets the root goes on while the others read: they wait for the first copy only.
    waits = sets * rounds * (times.wait + times.atomic) + (rounds if sets == 1 else 1) * first
    return waits + fragments * times.notify + message * times.byte


def refills(times: Times, message: int, fragment: int, queue: int) -> float:
    """ceil(m/b) t_C: the cost of waiting for a free queue."""
    return math.ceil(message / queue) * fragment * times.byte


def notifications(times: Times, message: int, fragment: int) -> float:
    """ceil(m/f) t_W."""
    return math.ceil(message / fragment) * times.notify


def best_fragment(times: Times, message: int, queue: int) -> float:
    """f*."""
    return math.sqrt(message * times.notify / (math.ceil(message / queue) * times.byte))


# Table 1: b = f s with s = f / 2, f / 4, ... f / 512.
TABLE_FRAGMENTS = range(4 * KI, 64 * KI + 1, 4 * KI)
TABLE_DIVISORS = tuple(2**k for k in range(1, 10))
GREEN, YELLOW, RED = "up to 10 MB", "up to 100 MB", "more"
# The first column as printed in the paper, in MB.
PRINTED = (8, 32, 72, 128, 200, 288, 392, 512, 648, 800, 968, 1152, 1352, 1568, 1800, 2048)


def band(queue: float) -> str:
    """The paper's green, yellow and red."""
    return GREEN if queue < 10 * MI else YELLOW if queue < 100 * MI else RED


def table() -> list[tuple[int, list[tuple[float, str]]]]:
    """For each f: the queue's bytes and band for each divisor."""
    return [
        (f, [(f * (f / d), band(f * (f / d))) for d in TABLE_DIVISORS]) for f in TABLE_FRAGMENTS
    ]


@dataclasses.dataclass
class Bar:
    rank: int  # 0: the root, 1: a leaf
    step: str
    fragment: int
    begin: float
    end: float


# Rough lengths of the steps in the paper's figure 3; a copy takes longest.
LENGTHS = {"WS": 0.4, "SO": 0.4, "C": 2.0, "N": 0.4, "WO": 0.4, "W": 0.4, "A": 0.4}


def diagram(length: int, sets: int, fragments: int) -> list[Bar]:
    """The paper's figure 3: root and leaf with steps of fixed length, with the waits of the
    protocol."""
    bars: list[Bar] = []
    root = leaf = 0.0
    left = {}  # of each use of a set the end of the leaf's A
    per_set = length // sets
    # In the order of uses; the leaf of a use needs the root's bars of it, the root those of the
    # leaf `sets` uses before.
    for use, first in enumerate(range(0, fragments, per_set)):
        inside = range(first, min(first + per_set, fragments))
        free = max(root + LENGTHS["WS"], left.get(use - sets, 0.0))
        opened = free + LENGTHS["SO"]
        bars += [Bar(0, "WS", first, root, free), Bar(0, "SO", first, free, opened)]
        root, told = opened, {}
        for number in inside:
            bars += [
                Bar(0, "C", number, root, root + LENGTHS["C"]),
                Bar(0, "N", number, root + LENGTHS["C"], root + LENGTHS["C"] + LENGTHS["N"]),
            ]
            root += LENGTHS["C"] + LENGTHS["N"]
            told[number] = root
        seen = max(leaf + LENGTHS["WO"], opened)
        bars.append(Bar(1, "WO", first, leaf, seen))
        leaf = seen
        for number in inside:
            there = max(leaf + LENGTHS["W"], told[number])
            bars += [
                Bar(1, "W", number, leaf, there),
                Bar(1, "C", number, there, there + LENGTHS["C"]),
            ]
            leaf = there + LENGTHS["C"]
        bars.append(Bar(1, "A", inside[-1], leaf, leaf + LENGTHS["A"]))
        leaf += LENGTHS["A"]
        left[use] = leaf
    return bars
