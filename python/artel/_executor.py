"""An executor of as many threads as the crew is wide."""

from __future__ import annotations

import concurrent.futures
import typing

from . import _limits


class Executor(concurrent.futures.ThreadPoolExecutor):
    """A ThreadPoolExecutor with as many threads as the crew, whose OpenMP regions and BLAS calls
    use what the others leave.

    Made inside of :func:`artel.limits` it has no more threads than that allows, and what they start
    keeps to the limit together. An interrupt (Ctrl-C) in its `with` block cancels the calls that
    have not begun.

    >>> with Executor() as threads:
    ...     list(threads.map(abs, [-1, 2]))
    [1, 2]
    """

    def __init__(
        self,
        max_workers: int | None = None,
        thread_name_prefix: str = "artel",
        initializer: typing.Callable[..., object] | None = None,
        initargs: tuple[typing.Any, ...] = (),
    ) -> None:
        workers = _limits.width() if max_workers is None else max_workers
        kept = _limits.Kept()
        if kept.threads and workers > 0:
            workers = min(workers, kept.threads)

        def begin() -> None:
            if kept.threads:
                kept.set_for_good(workers)
            if initializer is not None:
                initializer(*initargs)

        super().__init__(workers, thread_name_prefix, begin)

    def __exit__(self, kind: typing.Any, error: typing.Any, trace: typing.Any) -> typing.Any:
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            self.shutdown(wait=False, cancel_futures=True)
        return super().__exit__(kind, error, trace)
