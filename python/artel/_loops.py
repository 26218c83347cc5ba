"""Loops and maps on the crew, for C functions, and on as many Python threads as it is wide, for
Python ones."""

from __future__ import annotations

import contextvars
import functools
import operator
import threading
import typing

from . import _blocks, _c_loops, _limits, _native, _threads

T = typing.TypeVar("T")
R = typing.TypeVar("R")

_helpers = _threads.Threads(lambda: max(1, _native.num_threads() - 1), "artel")


class _Shared:
    """Calls of run(0) to run(count - 1), each made by one of several threads."""

    def __init__(self, run: typing.Callable[[int], None], count: int) -> None:
        self.run, self.count = run, count
        self.next, self.working, self.open = 0, 0, True
        self.changed = threading.Condition()
        self.failure: BaseException | None = None

    def _take(self) -> int | None:
        with self.changed:
            if self.next >= self.count or not self.open:
                return None
            self.next += 1
            return self.next - 1

    def work(self) -> None:
        """By each of the threads; raises nothing."""
        with self.changed:
            if not self.open:
                return
            self.working += 1
        try:
            while (i := self._take()) is not None:
                self.run(i)
        except BaseException as error:  # noqa: BLE001: raised again by the caller
            self.end(error)
        finally:
            with self.changed:
                self.working -= 1
                self.changed.notify_all()

    def end(self, error: BaseException) -> None:
        with self.changed:
            self.failure, self.open = self.failure or error, False

    def wait(self) -> None:
        """For those who have begun. Nobody begins afterwards."""
        with self.changed:
            self.open = False
            while self.working:
                self.changed.wait()


def _share(run: typing.Callable[[int], None], count: int) -> None:
    """Calls run(0) to run(count - 1), by this thread and by others that are free. This one goes on
    alone when none is, so it may be nested. All have the caller's context variables.

    An interrupt is raised at once; calls that others have begun then end by themselves."""
    shared = _Shared(run, count)
    limit, numas = _limits.threads(), _limits.numas() or None
    others = max(0, min(count, _limits.width()) - 1)
    work = shared.work
    if limit:  # together no more than the limit, inside of the calls, too

        def work() -> None:
            try:
                with _limits.limits(max(1, limit // (others + 1)), numas=numas):
                    shared.work()
            except BaseException as error:  # noqa: BLE001: of the limits
                shared.end(error)

    try:
        for _ in range(others):
            # A context is entered by one thread at a time, so each has a copy.
            if not _helpers.submit(
                functools.partial(contextvars.copy_context().run, work), 4 * others
            ):
                break
        _blocks.run(work)
        if not isinstance(shared.failure, KeyboardInterrupt):
            shared.wait()
    except BaseException as error:
        shared.end(error)
        raise
    if shared.failure is not None:
        try:
            raise shared.failure
        finally:  # whose traceback leads back here
            shared.failure = None


def map(
    function: typing.Callable[[T], R], items: typing.Iterable[T], *, chunk: int | None = None
) -> list[R]:  # noqa: A001
    """The results of function(item) for all items, in their order, computed by several threads.

    Worth while for functions that let others run meanwhile (numpy, scipy and most of what they call
    do), or without the global interpreter lock. Items are handed out `chunk` at a time, by default
    an eighth of each thread's share. The first exception ends the map and is raised here.

    >>> map(len, ["a", "bc", ""])
    [1, 2, 0]
    """
    pieces = None if chunk is None else _limits.count("chunk", chunk)
    all_items = list(items)
    size = pieces or max(1, len(all_items) // (8 * _limits.width()))
    results: list[typing.Any] = [None] * len(all_items)

    def run(i: int) -> None:
        for k in range(i * size, min((i + 1) * size, len(all_items))):
            results[k] = function(all_items[k])

    _share(run, -(-len(all_items) // size))
    return results


def parallel_for(
    begin: int, end: int, body: object, *, grain: int = 1, context: object = None
) -> None:
    """Calls body for pieces of range(begin, end) that together make up the range, by several
    threads, and returns when all is done.

    `body` is a C function ``void body(void *context, int64_t begin, int64_t end)``: a function
    pointer of ctypes or cffi, a cfunc of numba, or an address; then the crew runs it without the
    interpreter. `context` is an address, or a pointer of ctypes or cffi. Or `body` is a Python
    function ``body(begin, end)``, for which :func:`map`'s advice holds. Pieces have at least
    `grain` iterations where possible. An interrupt (Ctrl-C) ends the loop after the pieces that
    run.

    >>> total = []
    >>> parallel_for(0, 10, lambda b, e: total.append(sum(range(b, e))), grain=3)
    >>> sum(total)
    45
    """
    grain = _limits.count("grain", grain)
    begin, end = operator.index(begin), operator.index(end)
    address = _c_loops.address_of(body)
    if address is not None:
        _c_loops.run(begin, end, grain, address, context)
        return
    call = _c_loops.python_function(body, context)
    size = max(grain, -(-(end - begin) // (8 * _limits.width())))

    def run(i: int) -> None:
        call(begin + i * size, min(begin + (i + 1) * size, end))

    if end > begin:
        _share(run, -(-(end - begin) // size))
