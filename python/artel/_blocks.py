"""The limits that are open: which of them the calling code is in, and what they have set in the
calling thread.

A block belongs to the context (contextvars) in which it began, so that tasks of asyncio have each
their own; this package's loops keep to it. OpenMP regions and OpenBLAS calls know the thread only:
there all hold that are open on it, in whichever order they end."""

from __future__ import annotations

import collections
import contextlib
import contextvars
import functools
import operator
import os
import threading
import typing

from . import _native


class Block:
    """A limit: threads, and nodes with their CPUs, () for all."""

    def __init__(self, threads: int, numas: tuple[int, ...] = (), cpus: typing.Any = ()) -> None:
        self.threads, self.numas, self.cpus = threads, numas, cpus
        self.open = self.begun = True
        # What the thread had before, while it is set there.
        self.regions = self.calls = 0
        self.given = 0  # to calls
        self.mask: typing.Any = ()
        self.outside: typing.Any = ()  # the mask of threads in no such block, if it is for good


class Width(Block):
    """How many threads the crew runs for the calling thread, and nothing else."""


class _Thread(threading.local):
    def __init__(self) -> None:
        self.blocks: list[Block] = []  # in the order in which they have been set
        self.ended: collections.deque[Block] = collections.deque()  # on other threads
        self.for_good: list[Block] = []


_here = _Thread()
_around: contextvars.ContextVar[tuple[Block, ...]] = contextvars.ContextVar("artel", default=())
_with_nodes: set[Block] = set()  # those that are open and keep a thread to nodes
_mask_outside: typing.Any = ()  # of a thread outside of these, when the first of them began


def _forget_others() -> None:
    """In the child of a fork: other threads' never end there."""
    _with_nodes.intersection_update(_here.blocks)


os.register_at_fork(after_in_child=_forget_others)


def around() -> list[Block]:
    """Those that the calling code is in."""
    return [*_here.for_good, *(block for block in _around.get() if block.open)]


def threads_of(blocks: list[Block]) -> int:
    """0: all."""
    return min((each.threads for each in blocks if not isinstance(each, Width)), default=0)


def numas_of(blocks: list[Block]) -> tuple[int, ...]:
    """(): all."""
    return next((block.numas for block in reversed(blocks) if block.numas), ())


def cpus_of(blocks: list[Block]) -> typing.Any:
    """Of these nodes."""
    return next((block.cpus for block in reversed(blocks) if block.numas), ())


def outside() -> typing.Any:
    """The mask of a thread in no block that keeps it to nodes. The calling thread may be in one, or
    have been started by one that is, and has inherited its mask."""
    if _with_nodes:
        return _mask_outside
    for_good = next((each.outside for each in _here.for_good if each.numas), ())
    return for_good or os.sched_getaffinity(0)


def _replace(at: int, new: list[Block]) -> None:
    """In the calling thread, blocks from the one at this place on end, and the new ones begin.

    An interrupt may come between any two steps of Python code. So C functions do all this, called
    by one: it comes before or behind them. Nodes at the end: a crew that is made where the thread
    is kept to some would be as narrow."""
    core, openmp, openblas = _native.core(), _native.openmp(), _native.openblas()
    step, here = functools.partial, _here.blocks
    regions = openmp.omp_get_max_threads()
    calls = ([each.given for each in here if not isinstance(each, Width)] or [0])[-1]
    mask: typing.Any = ()
    steps: list[typing.Callable[[], typing.Any]] = []
    for each in reversed(here[at:]):
        if each.begun:
            steps.append(core.artel_width_end)
        if not isinstance(each, Width):
            regions, calls, mask = each.regions, each.calls, each.mask or mask
    begin, noted = len(steps), []
    steps += [step(core.artel_width_begin, each.threads) for each in new]
    for each in new:
        if isinstance(each, Width):
            continue
        given = min(each.threads, calls or each.threads)
        for name, value in (("regions", regions), ("calls", calls), ("given", given)):
            steps.append(step(setattr, each, name, value))
        regions, calls = min(each.threads, regions), given
        if each.numas:
            mask = mask or os.sched_getaffinity(0)
            noted.append(step(setattr, each, "mask", mask))
            mask = each.cpus
    if not all(isinstance(each, Width) for each in (*here[at:], *new)):
        steps.append(step(openmp.omp_set_num_threads, regions))
        steps.append(step(openblas.artel_openblas_limit_here, calls))
    steps.append(step(here.__setitem__, slice(at, None), new))
    if mask:
        steps += (step(os.sched_setaffinity, 0, mask), *noted)
    done = list(map(operator.methodcaller("__call__"), steps))
    for each, error in zip(new, done[begin:]):
        each.begun = not error
    if not all(each.begun for each in new):
        raise MemoryError("no memory for a limit")


def _push(block: Block) -> None:
    _replace(len(_here.blocks), [block])


def _remove(block: Block) -> None:
    if block in _here.blocks:  # it may have ended while another context was at work
        at = _here.blocks.index(block)
        _replace(at, _here.blocks[at + 1 :])


def _tidy() -> None:
    """Ends what has been left to this thread."""
    while _here.ended:
        _remove(_here.ended[0])
        _here.ended.popleft()


def set_here(block: Block) -> typing.Callable[[], None]:
    """Sets it in the calling thread alone, and returns what ends that, on any thread."""
    global _mask_outside
    _tidy()
    blocks, ended = _here.blocks, _here.ended

    def end() -> None:
        block.open = False
        _with_nodes.discard(block)
        ended.append(block)
        if _here.blocks is blocks:
            _tidy()  # otherwise that thread does it when it is here the next time

    try:
        if block.numas:
            _mask_outside = outside()
            _with_nodes.add(block)
        _push(block)
    except BaseException:
        end()
        raise
    return end


def set_for_good(block: Block) -> None:
    """For as long as the calling thread lives, whichever context it runs in."""
    _push(block)
    _here.for_good.append(block)


@contextlib.contextmanager
def opened(block: Block) -> typing.Iterator[None]:
    """Sets it in the calling thread and in the calling context."""
    end = set_here(block)
    try:
        _around.set((*(each for each in _around.get() if each.open), block))
        yield
    finally:
        try:
            end()
        except BaseException:  # an interrupt may have come first
            end()
            raise
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
    instead = [each for each in others if isinstance(each, Width)]
    instead += [Block(each.threads, each.numas, each.cpus) for each in mine]

    def put_back() -> None:
        begun = [each for each in here if each not in instead and each not in others]
        _replace(0, begun + [each for each in others if each.open])

    try:
        _replace(0, instead)
        call()
    finally:
        try:
            put_back()
        except BaseException:  # see above
            put_back()
            raise
