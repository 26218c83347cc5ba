"""The limits that are open: which of them the calling code is in, and what they have set in the
calling thread.

A block belongs to the context (contextvars) in which it began, so that tasks of asyncio have each
their own; this package's loops keep to it. OpenMP regions and OpenBLAS calls know the thread only:
there all hold that are open on it, in whichever order they end."""

from __future__ import annotations

import collections
import contextlib
import contextvars
import os
import threading
import typing

from . import _native


class Block:
    """A limit: threads, and nodes with their CPUs, () for all."""

    def __init__(self, threads: int, numas: tuple[int, ...] = (), cpus: typing.Any = ()) -> None:
        self.threads, self.numas, self.cpus = threads, numas, cpus
        self.open = True
        # What the thread had before, while it is set there.
        self.regions = self.calls = 0
        self.mask: typing.Any = ()


class Width(Block):
    """How many threads the crew runs for the calling thread, and nothing else."""


class _Thread(threading.local):
    def __init__(self) -> None:
        self.blocks: list[Block] = []  # in the order in which they have been set
        self.ended: collections.deque[Block] = collections.deque()  # on other threads
        self.for_good: list[Block] = []


_here = _Thread()
_around: contextvars.ContextVar[tuple[Block, ...]] = contextvars.ContextVar("artel", default=())
mask_outside: typing.Any = None  # of a thread that has been kept to nodes


def around() -> list[Block]:
    """Those that the calling code is in."""
    return [*_here.for_good, *(block for block in _around.get() if block.open)]


def threads_of(blocks: list[Block]) -> int:
    """0: all."""
    return min((each.threads for each in blocks if not isinstance(each, Width)), default=0)


def numas_of(blocks: list[Block]) -> tuple[int, ...]:
    """(): all."""
    return next((block.numas for block in reversed(blocks) if block.numas), ())


def _set(block: Block) -> None:
    """In the calling thread. In this order: a crew that is made where the thread is kept to nodes
    would be as narrow."""
    global mask_outside
    core, openmp, openblas = _native.core(), _native.openmp(), _native.openblas()
    if core.artel_width_begin(block.threads) != 0:
        raise MemoryError("no memory for a limit")
    if isinstance(block, Width):
        return
    block.regions = openmp.omp_get_max_threads()
    block.calls = openblas.artel_openblas_limit_here(0)
    openblas.artel_openblas_limit_here(
        block.threads if block.calls == 0 else min(block.threads, block.calls)
    )
    openmp.omp_set_num_threads(min(block.threads, block.regions))
    if block.numas:
        mask = os.sched_getaffinity(0)
        if not numas_of(_here.blocks):
            mask_outside = mask
        try:
            os.sched_setaffinity(0, block.cpus)
        except BaseException:
            _unset(block)
            raise
        block.mask = mask


def _unset(block: Block) -> None:
    """That which has been set last."""
    if block.mask:
        os.sched_setaffinity(0, block.mask)
        block.mask = ()
    _native.core().artel_width_end()
    if isinstance(block, Width):
        return
    _native.openmp().omp_set_num_threads(block.regions)
    _native.openblas().artel_openblas_limit_here(block.calls)


def _remove(block: Block) -> None:
    if block not in _here.blocks:  # it has ended while another context was at work
        return
    at = _here.blocks.index(block)
    later = _here.blocks[at + 1 :]
    for each in reversed(later):
        _unset(each)
    _unset(block)
    del _here.blocks[at:]
    for each in later:
        _push(each)


def _push(block: Block) -> None:
    _set(block)
    _here.blocks.append(block)


def _tidy() -> None:
    """Ends what has been left to this thread."""
    while _here.ended:
        _remove(_here.ended.popleft())


def set_here(block: Block) -> typing.Callable[[], None]:
    """Sets it in the calling thread alone, and returns what ends that, on any thread."""
    _tidy()
    _push(block)
    blocks, ended = _here.blocks, _here.ended

    def end() -> None:
        block.open = False
        if _here.blocks is blocks:
            _tidy()
            _remove(block)
        else:  # that thread does it when it is here the next time
            ended.append(block)

    return end


def set_for_good(block: Block) -> None:
    """For as long as the calling thread lives, whichever context it runs in."""
    _push(block)
    _here.for_good.append(block)


@contextlib.contextmanager
def opened(block: Block) -> typing.Iterator[None]:
    """Sets it in the calling thread and in the calling context."""
    end = set_here(block)
    _around.set((*(each for each in _around.get() if each.open), block))
    try:
        yield
    finally:
        end()
        _around.set(tuple(each for each in _around.get() if each.open))


def run(call: typing.Callable[[], None]) -> None:
    """Calls it while the thread has what the calling code is in, instead of what is open on it for
    other contexts, too."""
    if not (_here.blocks or _here.ended or _around.get()):
        call()
        return
    _tidy()
    mine, here = around(), _here.blocks
    if (threads_of(mine), numas_of(mine)) == (threads_of(here), numas_of(here)):
        call()
        return
    others = list(here)
    for each in reversed(others):
        _unset(each)
    here.clear()
    instead = [each for each in others if isinstance(each, Width)]
    instead += [Block(each.threads, each.numas, each.cpus) for each in mine]
    try:
        for each in instead:
            _push(each)
        call()
    finally:
        for each in reversed(instead):
            _remove(each)
        for each in others:
            if each.open:
                _push(each)
