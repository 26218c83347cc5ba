"""The NUMA nodes of the machine, as far as this process may use their CPUs."""

from __future__ import annotations

import glob
import os
import re


def _numbers(text: str) -> set[int]:
    """Of a list as the kernel writes it: 0-3,8."""
    found: set[int] = set()
    for part in text.strip().split(","):
        if part:
            first, _, last = part.partition("-")
            found.update(range(int(first), int(last or first) + 1))
    return found


def nodes(root: str = "/sys/devices/system/node") -> dict[int, frozenset[int]]:
    """The CPUs of each node that the calling thread may use; nodes without any are left out. A
    kernel that knows no nodes has one, 0.

    >>> 0 < len(set().union(*nodes().values())) <= os.cpu_count()
    True
    """
    mine = os.sched_getaffinity(0)
    found: dict[int, frozenset[int]] = {}
    for folder in glob.glob(os.path.join(root, "node[0-9]*")):
        with open(os.path.join(folder, "cpulist"), encoding="ascii") as file:
            cpus = frozenset(_numbers(file.read()) & mine)
        if cpus:
            found[int(re.sub(r"\D", "", os.path.basename(folder)))] = cpus
    return dict(sorted(found.items())) or {0: frozenset(mine)}
