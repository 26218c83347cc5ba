"""Loops and maps on the crew, for C functions, and on as many Python threads as it is wide, for
Python ones."""

from __future__ import annotations

import concurrent.futures
import itertools
import os
import threading
import typing

from . import _native

T = typing.TypeVar("T")
R = typing.TypeVar("R")

_helpers: concurrent.futures.ThreadPoolExecutor | None = None
_lock = threading.Lock()


def _forget() -> None:
    """In the child of a fork, which has none of the parent's threads."""
    global _helpers, _lock
    _helpers, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_forget)


def _pool() -> concurrent.futures.ThreadPoolExecutor:
    global _helpers
    with _lock:
        if _helpers is None:
            _helpers = concurrent.futures.ThreadPoolExecutor(
                max(1, _native.num_threads() - 1), thread_name_prefix="artel"
            )
        return _helpers


def _share(run: typing.Callable[[int], None], count: int) -> None:
    """Calls run(0) to run(count - 1), by this thread and by others that are free. This one goes on
    alone when none is, so it may be nested."""
    numbers = itertools.count()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for i in numbers:
                if i >= count or failures:
                    return
                run(i)
        except BaseException as error:  # noqa: BLE001: raised again by the caller
            failures.append(error)

    others = [_pool().submit(work) for _ in range(min(count, _native.num_threads()) - 1)]
    work()
    for other in others:
        if not other.cancel():
            other.result()
    if failures:
        raise failures[0]


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
    if chunk is not None and chunk < 1:
        raise ValueError(f"chunk: expected a whole number from 1 on, not {chunk!r}")
    all_items = list(items)
    size = chunk or max(1, len(all_items) // (8 * _native.num_threads()))
    results: list[typing.Any] = [None] * len(all_items)

    def run(i: int) -> None:
        for k in range(i * size, min((i + 1) * size, len(all_items))):
            results[k] = function(all_items[k])

    _share(run, -(-len(all_items) // size))
    return results


def _address_of(body: object) -> int | None:
    """Of a C function void(void* context, int64_t begin, int64_t end): an address, numba's cfunc,
    or a pointer of ctypes. None for Python's."""
    if isinstance(body, int):
        return body
    address = getattr(body, "address", None)
    if isinstance(address, int):
        return address
    import ctypes

    if isinstance(body, ctypes._CFuncPtr):  # noqa: SLF001
        return ctypes.cast(body, ctypes.c_void_p).value
    return None


def parallel_for(
    begin: int, end: int, body: object, *, grain: int = 1, context: int | None = None
) -> None:
    """Calls body for pieces of range(begin, end) that together make up the range, by several
    threads, and returns when all is done.

    `body` is a C function ``void body(void *context, int64_t begin, int64_t end)``: a function
    pointer of ctypes, a cfunc of numba, or an address; then the crew runs it without the
    interpreter. Or it is a Python function ``body(begin, end)``, for which :func:`map`'s advice
    holds. Pieces have at least `grain` iterations where possible.

    >>> total = []
    >>> parallel_for(0, 10, lambda b, e: total.append(sum(range(b, e))), grain=3)
    >>> sum(total)
    45
    """
    if grain < 1:
        raise ValueError(f"grain: expected a whole number from 1 on, not {grain!r}")
    address = _address_of(body)
    if address is not None:
        import ctypes

        call = _native.core().artel_parallel_for
        call.argtypes = [
            ctypes.c_int64,
            ctypes.c_int64,
            ctypes.c_int64,
            ctypes.c_void_p,
            ctypes.c_void_p,
        ]
        call.restype = None
        call(begin, end, grain, address, context)
        return
    if not callable(body):
        raise TypeError(f"body: expected a C function or a Python one, not {type(body).__name__}")
    size = max(grain, -(-(end - begin) // (8 * _native.num_threads())))

    def run(i: int) -> None:
        body(begin + i * size, min(begin + (i + 1) * size, end))

    if end > begin:
        _share(run, -(-(end - begin) // size))
