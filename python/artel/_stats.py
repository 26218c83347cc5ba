"""What the process's crew and libraries are and do at the moment."""

from __future__ import annotations

import os
import typing

from . import _native


def stats() -> dict[str, typing.Any]:
    """Keys: ``threads`` (how wide the crew is), ``os_threads`` (of the process), ``openmp_threads``
    (for the next region of this thread), ``blas_calls`` (under way in OpenBLAS libraries), ``blas``
    (of each: ``file``, ``limit`` that the user has set, ``threads`` for a call that begins now).

    >>> stats()["threads"] >= 1
    True
    """
    import ctypes

    blas = _native.openblas()
    limit, told = ctypes.c_int(), ctypes.c_int()
    libraries = []
    for i in range(blas.artel_openblas_count()):
        name = blas.artel_openblas_library(i, limit, told)
        libraries.append({"file": os.fsdecode(name), "limit": limit.value, "threads": told.value})
    return {
        "threads": _native.num_threads(),
        "os_threads": len(os.listdir("/proc/self/task")),
        "openmp_threads": int(_native.openmp().omp_get_max_threads()),
        "blas_calls": int(blas.artel_openblas_inside()),
        "blas": libraries,
    }
