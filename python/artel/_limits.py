"""Limits on how many threads, and on which NUMA nodes, the calling thread's work uses."""

from __future__ import annotations

import contextlib
import operator
import os
import threading
import typing

from . import _native, _nodes


class _Here(threading.local):
    """What the blocks around the calling thread allow; 0 and (): all."""

    threads = 0
    numas: tuple[int, ...] = ()


here = _Here()
_mask_outside: set[int] | None = None  # of a thread that has been kept to nodes


def width() -> int:
    """How many threads the calling thread's work may use."""
    wide = _native.num_threads()
    return min(here.threads, wide) if here.threads else wide


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


def _begin(threads: int) -> tuple[int, int, int]:
    """Returns what _end() needs."""
    core, openmp, openblas = _native.core(), _native.openmp(), _native.openblas()
    if core.artel_width_begin(threads) != 0:
        raise MemoryError("no memory for a limit")
    before, regions = here.threads, openmp.omp_get_max_threads()
    calls = openblas.artel_openblas_limit_here(0)
    openblas.artel_openblas_limit_here(threads if calls == 0 else min(threads, calls))
    openmp.omp_set_num_threads(min(threads, regions))
    here.threads = min(threads, before or threads)
    return before, regions, calls


def _end(before: int, regions: int, calls: int) -> None:
    here.threads = before
    _native.core().artel_width_end()
    _native.openmp().omp_set_num_threads(regions)
    _native.openblas().artel_openblas_limit_here(calls)


def for_good(threads: int, numas: tuple[int, ...]) -> None:
    """Limits for as long as the calling thread lives."""
    if numas:
        os.sched_setaffinity(0, _cpus_of(numas)[1])
        here.numas = numas
    _begin(threads)


def leave_nodes() -> None:
    """For threads that are kept for later use: they may have been started inside of a block."""
    if _mask_outside is not None:
        os.sched_setaffinity(0, _mask_outside)


@contextlib.contextmanager
def _places(numas: tuple[int, ...], cpus: set[int]) -> typing.Iterator[None]:
    global _mask_outside
    before, mask = here.numas, os.sched_getaffinity(0)
    if not before:
        _mask_outside = mask
    os.sched_setaffinity(0, cpus)
    here.numas = numas
    try:
        yield
    finally:
        here.numas = before
        os.sched_setaffinity(0, mask)


@contextlib.contextmanager
def limits(
    threads: int | None = None, *, numas: typing.Iterable[int] | None = None
) -> typing.Iterator[None]:
    """In the block, what the calling thread starts uses at most so many threads: loops and maps of
    this package, OpenMP regions, OpenBLAS calls.

    With `numas`, numbers of NUMA nodes, the calling thread and the threads that it starts keep to
    the CPUs of these, loops of C functions run on the crew's workers there, and nothing uses more
    threads than there are CPUs. Where OpenMP regions and OpenBLAS calls run is not changed.

    Other threads are not concerned. Blocks may be nested; an inner one has no more threads than the
    one around it, and none of other nodes. Raises ValueError unless `threads` is a whole number
    from 1 on and the nodes are there. A block ends on the thread on which it began: no `await` or
    `yield` in it.

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
    # In this order: a crew that is made where the thread is kept to nodes would be as narrow.
    before = _begin(most)
    try:
        with _places(nodes, cpus) if nodes else contextlib.nullcontext():
            yield
    finally:
        _end(*before)
