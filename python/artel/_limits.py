"""Limits on how many threads, and on which NUMA nodes, the calling thread's work uses."""

from __future__ import annotations

import contextlib
import operator
import typing

from . import _blocks, _native, _nodes


def threads() -> int:
    """How many threads the blocks around the calling code allow; 0: all."""
    return _blocks.threads_of(_blocks.around())


def numas() -> tuple[int, ...]:
    """To which nodes they keep it; (): all."""
    return _blocks.numas_of(_blocks.around())


def width() -> int:
    """How many threads the calling code's work may use."""
    wide = _native.num_threads()
    return min(threads() or wide, wide)


def count(name: str, value: object) -> int:
    """The value as a number; ValueError where it is none to count with."""
    try:
        number = 0 if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if number < 1:
        raise ValueError(f"{name}: expected a whole number from 1 on, not {value!r}")
    return number


def _node(value: object) -> int | None:
    try:
        return None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


def _cpus_of(numas: object) -> tuple[tuple[int, ...], set[int]]:
    """The nodes, each once, and their CPUs that the calling thread may use."""
    known = _nodes.nodes()
    try:
        asked = list(numas)  # type: ignore[call-overload]
    except TypeError:
        raise ValueError(f"numas: expected numbers of NUMA nodes, not {numas!r}") from None
    if not asked:
        raise ValueError("numas: expected at least one number of a NUMA node")
    for node in asked:
        if _node(node) not in known:
            raise ValueError(
                f"numas: there is no NUMA node {node!r} with a CPU that may be used here, only"
                f" {', '.join(map(str, known))}"
            )
    wanted = tuple(dict.fromkeys(map(operator.index, asked)))
    return wanted, set().union(*(known[node] for node in wanted))


class Kept:
    """What the blocks around the calling code allow, for threads that start later, perhaps inside
    of others, which keep them to other nodes."""

    def __init__(self) -> None:
        around = _blocks.around()
        self.threads, self.numas = _blocks.threads_of(around), _blocks.numas_of(around)
        self._cpus, self._outside = _blocks.cpus_of(around), _blocks.outside()

    def set_for_good(self, among: int) -> None:
        """For the calling thread, one of so many, as long as it lives."""
        threads = max(1, self.threads // among)
        block = _blocks.Block(threads, self.numas, self._cpus)
        block.outside = self._outside
        _blocks.set_for_good(block)


@contextlib.contextmanager
def limits(
    threads: int | None = None, *, numas: typing.Iterable[int] | None = None
) -> typing.Iterator[None]:
    """In the block, what the calling thread starts uses at most so many threads: loops and maps of
    this package, OpenMP regions, OpenBLAS calls.

    With `numas`, numbers of NUMA nodes, the calling thread and the threads that it starts keep to
    the CPUs of these, loops of C functions run on the crew's workers there, and nothing uses more
    threads than there are CPUs. Where OpenMP regions and OpenBLAS calls run is not changed.

    Blocks may be nested; an inner one has no more threads than the one around it, and none of other
    nodes. They may also overlap, as in generators and in tasks of asyncio: each holds until it
    ends. Loops and maps of this package keep to the blocks of the context (contextvars) that calls
    them, so to those of their own task. OpenMP regions and OpenBLAS calls keep to all blocks that
    have begun on the same thread and have not ended; other threads are not concerned.

    Raises ValueError unless `threads` is a whole number from 1 on and the nodes are there.

    >>> with limits(2):
    ...     with limits(threads=1, numas=[0]):
    ...         pass
    >>> with limits(0):
    ...     pass
    Traceback (most recent call last):
    ...
    ValueError: threads: expected a whole number from 1 on, not 0
    """
    if threads is None and numas is not None:
        most = _native.num_threads()
    else:
        most = min(count("threads", threads), 1 << 20)
    if numas is None:
        nodes, cpus = (), set()
    else:
        nodes, cpus = _cpus_of(numas)
        most = min(most, len(cpus))
    with _blocks.opened(_blocks.Block(most, nodes, cpus)):
        yield
