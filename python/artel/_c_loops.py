"""Loops of C functions on the crew."""

from __future__ import annotations

import concurrent.futures
import contextlib
import errno
import functools
import os
import threading
import typing

from . import _blocks, _limits, _native, _threads

# C functions that took long the last time; their loops are run so that an interrupt ends them.
_long: dict[int, bool] = {}
_LONG = 0.05  # seconds
_stand_in = _threads.Threads(lambda: 1, "artel-main")


@functools.lru_cache(maxsize=None)
def _types():
    import ctypes

    class Limit(ctypes.Structure):  # artel_limit
        _fields_ = [
            ("concurrency", ctypes.c_uint),
            ("numa_count", ctypes.c_uint),
            ("numas", ctypes.POINTER(ctypes.c_uint)),
            ("stop", ctypes.c_void_p),
        ]

    class Options(ctypes.Structure):  # artel_loop_options
        _fields_ = [
            ("grain", ctypes.c_int64),
            ("partitioner", ctypes.c_int),
            ("limit", ctypes.POINTER(Limit)),
        ]

    core = _native.core()
    core.artel_parallel_for_with.argtypes = [
        ctypes.POINTER(Options),
        ctypes.c_int64,
        ctypes.c_int64,
        ctypes.c_void_p,
        ctypes.c_void_p,
    ]
    core.artel_parallel_for_with.restype = ctypes.c_int
    core.artel_stop_create.restype = ctypes.c_void_p
    for name in ("artel_stop_request", "artel_stop_destroy"):
        getattr(core, name).argtypes = [ctypes.c_void_p]
        getattr(core, name).restype = None
    return core, Limit, Options


def _is_of_cffi(body: typing.Any) -> bool:
    return type(body).__module__ == "_cffi_backend"


def _address_of_cffi(pointer: typing.Any) -> int:
    import _cffi_backend

    return int(_cffi_backend.FFI().cast("uintptr_t", pointer))


def _is_callback(body: typing.Any) -> bool:
    """Whether a function pointer of ctypes or cffi leads back to Python."""
    if _is_of_cffi(body):  # who keeps a function alive; a pointer to one of C keeps nothing
        return type(body).__name__ == "__CDataOwnGC"
    return any(type(kept).__name__ == "CThunkObject" for kept in (body._objects or {}).values())


def address_of(body: typing.Any) -> int | None:
    """Of a C function void(void* context, int64_t begin, int64_t end): an address, numba's cfunc,
    or a pointer of ctypes or cffi. None for Python's, also behind such a pointer: it needs the
    stack of a thread of Python's."""
    if isinstance(body, bool):
        return None
    if isinstance(body, int):
        if body <= 0:
            raise ValueError(f"body: expected the address of a C function, not {body}")
        return body
    address = getattr(body, "address", None)
    if isinstance(address, int):
        return address
    import ctypes

    if isinstance(body, ctypes._CFuncPtr):  # noqa: SLF001
        if _is_callback(body):
            return None
        address = ctypes.cast(body, ctypes.c_void_p).value
    elif _is_of_cffi(body):
        if _is_callback(body):
            return None
        address = _address_of_cffi(body)
    else:
        return None
    if not address:
        raise ValueError("body: expected a C function, not a null pointer")
    return address


def python_function(body: typing.Any, context: typing.Any) -> typing.Callable[[int, int], None]:
    if not callable(body):
        raise TypeError(f"body: expected a C function or a Python one, not {type(body).__name__}")
    import ctypes

    if isinstance(body, ctypes._CFuncPtr):  # noqa: SLF001: with the parameters of a C function
        return functools.partial(body, context)
    if _is_of_cffi(body):
        import _cffi_backend

        pointer = 0 if context is None else context
        return functools.partial(body, _cffi_backend.FFI().cast("void *", pointer))
    if context is not None:
        raise TypeError("context: only C functions have one")
    return body


def _call(begin: int, end: int, grain: int, address: int, context: typing.Any, stop=None) -> None:
    import ctypes

    core, limit, options = _types()
    numas = _limits.numas()
    array = (ctypes.c_uint * len(numas))(*numas)
    limited = limit(0, len(numas), ctypes.cast(array, ctypes.POINTER(ctypes.c_uint)), stop)
    asked = options(grain, 0, ctypes.pointer(limited) if numas or stop else None)
    error = core.artel_parallel_for_with(ctypes.byref(asked), begin, end, address, context)
    if error not in (0, errno.ECANCELED):
        raise OSError(error, os.strerror(error))


def _call_apart(*loop: typing.Any) -> None:
    """The main thread is the one that hears of interrupts, while it runs Python code: it waits, and
    a thread that stands in for it calls the loop."""
    core = _types()[0]
    stop = core.artel_stop_create()
    if not stop:
        raise MemoryError("no memory for a loop")
    limit, numas = _limits.threads(), _limits.numas() or None
    done: concurrent.futures.Future = concurrent.futures.Future()

    def work() -> None:
        if not done.set_running_or_notify_cancel():
            return
        try:
            with _limits.limits(limit, numas=numas) if limit else contextlib.nullcontext():
                _call(*loop, stop)
            done.set_result(None)
        except BaseException as error:  # noqa: BLE001: raised again by the caller
            done.set_exception(error)

    # Until the loop has ended, however many interrupts come, and wherever in here: its function may
    # use what the caller frees.
    given = True
    interrupt: BaseException | None = None
    failure: BaseException | None = None
    try:
        while True:
            try:
                if interrupt is not None:
                    core.artel_stop_request(stop)
                    done.cancel()  # if nobody has begun
                elif not _stand_in.submit(work):
                    given = False
                    break
                failure = done.exception()
                break
            except concurrent.futures.CancelledError:
                break
            except BaseException as error:  # noqa: BLE001: raised below
                interrupt = error
        if interrupt is not None or failure is not None:
            raise interrupt or failure
    finally:
        interrupt = failure = None  # their tracebacks lead back here
        if done.done() or not given:
            core.artel_stop_destroy(stop)
    if not given:
        _call(*loop)


def _run(begin: int, end: int, grain: int, address: int, context: typing.Any) -> None:
    import time

    if threading.current_thread() is not threading.main_thread():
        _call(begin, end, grain, address, context)
        return
    started = time.monotonic()
    if _long.get(address, True):
        _call_apart(begin, end, grain, address, context)
    else:
        _call(begin, end, grain, address, context)
    if len(_long) > 1000:
        _long.clear()
    _long[address] = time.monotonic() - started > _LONG


def run(begin: int, end: int, grain: int, address: int, context: typing.Any) -> None:
    for value in (begin, end, grain):
        if not -(1 << 63) <= value < 1 << 63:
            raise OverflowError(f"parallel_for: {value} has more than 64 bits")
    if _is_of_cffi(context):
        context = _address_of_cffi(context)
    _blocks.run(functools.partial(_run, begin, end, grain, address, context))
