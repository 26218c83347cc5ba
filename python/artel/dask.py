"""Dask: a scheduler for one process, and what workers of a cluster need.

``dask worker --preload artel.dask --preload-nanny artel.dask`` (``artel plan --for dask`` prints
whole commands), or in a program:

>>> import dask, artel.dask
>>> with dask.config.set(scheduler=artel.dask.get):
...     dask.compute([dask.delayed(abs)(i) for i in (-1, 2)])
([1, 2],)
"""

from __future__ import annotations

import os
import threading
import typing

import dask
import dask.local
import dask.threaded

from . import _executor, _patch

_here = threading.local()

# Dask's nannies set these to 1 for their workers, since libraries that know nothing of each other
# would bring as many threads as there are CPUs for each of the worker's.
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def _begin() -> None:
    _here.inside = True


def get(dsk: typing.Any, keys: typing.Any, **others: typing.Any) -> typing.Any:
    """Dask's scheduler for threads, with as many as the crew is wide (`num_workers` others), whose
    OpenMP regions and BLAS calls use what the others leave. Called by one of these threads it runs
    the tasks there."""
    if getattr(_here, "inside", False):
        return dask.local.get_sync(dsk, keys, **others)
    workers = others.pop("num_workers", None) or dask.config.get("num_workers", None)
    threads = _executor.Executor(workers, initializer=_begin)
    try:
        return dask.threaded.get(dsk, keys, pool=threads, **others)
    finally:
        threads.shutdown(wait=False)  # all is done, or was interrupted


def dask_setup(service: typing.Any) -> None:
    """What dask calls for --preload in a worker, and for --preload-nanny in the process that starts
    it; there the worker has Artel from the start. Takes back that regions and calls have one thread
    where dask said so, not the user."""
    set_by_dask = dask.config.get("distributed.nanny.pre-spawn-environ", {})
    for environment in (os.environ, getattr(service, "pre_spawn_env", {})):
        for name in _THREADS:
            if environment.get(name) == str(set_by_dask.get(name)):
                del environment[name]
    _patch.patch()
