"""An executor of as many threads as the crew is wide."""

from __future__ import annotations

import concurrent.futures
import typing

from . import _native


class Executor(concurrent.futures.ThreadPoolExecutor):
    """A ThreadPoolExecutor with as many threads as the crew, whose OpenMP regions and BLAS calls
    use what the others leave.

    >>> with Executor() as threads:
    ...     list(threads.map(abs, [-1, 2]))
    [1, 2]
    """

    def __init__(self, max_workers: int | None = None, **others: typing.Any) -> None:
        others.setdefault("thread_name_prefix", "artel")
        super().__init__(max_workers or _native.num_threads(), **others)
