"""Python threads that help in loops. Unlike those of an executor they keep no program from ending
that an interrupt has ended."""

from __future__ import annotations

import os
import queue
import threading
import typing

from . import _limits


class Threads:
    """So many threads, started at the first use; anew in the child of a fork."""

    def __init__(self, count: typing.Callable[[], int], name: str) -> None:
        self._count, self._name = count, name
        self._forget()
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._work: queue.SimpleQueue | None = None

    def _serve(self, work: queue.SimpleQueue) -> None:
        _limits.leave_nodes()
        while True:
            work.get()()

    def submit(self, call: typing.Callable[[], None], most: int = 1 << 30) -> bool:
        """One of the threads will call it; it raises nothing. False if it will not be called: so
        many are waiting already, or the interpreter is about to end and starts no threads."""
        with self._lock:
            if self._work is None:
                work: queue.SimpleQueue = queue.SimpleQueue()
                try:
                    for i in range(self._count()):
                        threading.Thread(
                            target=self._serve, args=(work,), name=f"{self._name}_{i}", daemon=True
                        ).start()
                        self._work = work
                except RuntimeError:
                    pass
            if self._work is None or self._work.qsize() >= most:
                return False
            self._work.put(call)
            return True
