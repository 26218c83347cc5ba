"""Limits on how many threads the calling thread's work uses."""

from __future__ import annotations

import contextlib
import typing

from . import _native


@contextlib.contextmanager
def limits(threads: int) -> typing.Iterator[None]:
    """In the block, what the calling thread starts uses at most so many threads: loops of the crew,
    OpenMP regions, OpenBLAS calls.

    Other threads are not concerned. Blocks may be nested; an inner one cannot ask for more than the
    one around it. Raises ValueError unless `threads` is a whole number from 1 on.

    >>> with limits(2):
    ...     with limits(threads=1):
    ...         pass
    >>> with limits(0):
    ...     pass
    Traceback (most recent call last):
    ...
    ValueError: threads: expected a whole number from 1 on, not 0
    """
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise ValueError(f"threads: expected a whole number from 1 on, not {threads!r}")
    core, openmp, openblas = _native.core(), _native.openmp(), _native.openblas()
    if core.artel_width_begin(threads) != 0:
        raise MemoryError("no memory for a limit")
    regions = openmp.omp_get_max_threads()
    calls = openblas.artel_openblas_limit_here(0)
    openblas.artel_openblas_limit_here(threads if calls == 0 else min(threads, calls))
    openmp.omp_set_num_threads(min(threads, regions))
    try:
        yield
    finally:
        core.artel_width_end()
        openmp.omp_set_num_threads(regions)
        openblas.artel_openblas_limit_here(calls)
