"""A backend for joblib: threads, as many as the crew is wide, whose regions and BLAS calls use what
the others leave.

>>> import joblib, artel.joblib
>>> with joblib.parallel_config(backend="artel"):
...     joblib.Parallel()(joblib.delayed(abs)(i) for i in (-1, 2))
[1, 2]
"""

from __future__ import annotations

import typing

import joblib
from joblib._parallel_backends import ThreadingBackend

from . import _limits


class ArtelBackend(ThreadingBackend):
    """joblib's threads; without n_jobs as many as the crew is wide."""

    default_n_jobs = -1
    supports_inner_max_num_threads = False

    def effective_n_jobs(self, n_jobs: int | None) -> int:
        wide = _limits.width()
        if n_jobs is None or n_jobs == -1:
            return wide
        if n_jobs == 0:
            raise ValueError("n_jobs: expected a whole number other than 0")
        return max(1, wide + 1 + n_jobs) if n_jobs < 0 else n_jobs

    def get_nested_backend(self) -> tuple[typing.Any, typing.Any]:
        """Nested calls run in the thread that makes them, as under joblib's own threads."""
        return super().get_nested_backend()


joblib.register_parallel_backend("artel", ArtelBackend)
