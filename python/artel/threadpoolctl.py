"""Makes threadpoolctl see the crew: its limits hold for what the calling thread starts.

>>> import threadpoolctl, artel.threadpoolctl
>>> infos = threadpoolctl.threadpool_info()
>>> [info["num_threads"] > 0 for info in infos if info["internal_api"] == "artel"]
[True]
"""

from __future__ import annotations

import threading

import threadpoolctl

from . import _blocks, _native

_here = threading.local()


class ArtelController(threadpoolctl.LibController):
    """The crew. OpenMP regions and OpenBLAS calls have controllers of their own, which
    threadpoolctl brings."""

    user_api = "artel"
    internal_api = "artel"
    filename_prefixes = ("libartel.so",)

    def get_num_threads(self) -> int:
        limit = getattr(_here, "limit", 0)
        return min(limit, _native.num_threads()) if limit else _native.num_threads()

    def set_num_threads(self, num_threads: int) -> None:
        if getattr(_here, "limit", 0):
            _here.end()
            _here.limit = 0
        if num_threads < _native.num_threads():
            _here.end = _blocks.set_here(_blocks.Width(num_threads))
            _here.limit = num_threads

    def get_version(self) -> str:
        import artel

        return artel.__version__


_native.core()
threadpoolctl.register(ArtelController)
