"""Python threads that help in loops. Unlike those of an executor they keep no program from ending
that an interrupt has ended."""

from __future__ import annotations

import os
import queue
import sys
import threading
import typing

from . import _blocks


class Threads:
    """So many threads, started at the first use; anew in the child of a fork."""

    def __init__(self, count: typing.Callable[[], int], name: str) -> None:
        self._count, self._name = count, name
        self._forget()
        os.register_at_fork(after_in_child=self._forget)

    def _forget(self) -> None:
        self._lock = threading.Lock()
        self._work: queue.SimpleQueue = queue.SimpleQueue()
        self._started = 0

    def _serve(self, work: queue.SimpleQueue, mask: typing.Any) -> None:
        os.sched_setaffinity(0, mask)
        while True:
            work.get()()

    def _start(self) -> None:
        """Those that are missing; some may be left for the next time."""
        try:
            while self._started < self._count():
                # They are kept for later use, and may be started inside of a block.
                threading.Thread(
                    target=self._serve,
                    args=(self._work, _blocks.outside()),
                    name=f"{self._name}_{self._started}",
                    daemon=True,
                ).start()
                self._started += 1
        except RuntimeError:
            pass

    def submit(self, call: typing.Callable[[], None], most: int = 1 << 30) -> bool:
        """One of the threads will call it; it raises nothing. False if it will not be called: so
        many are waiting already, or there are no threads, as when the interpreter ends: then it
        starts none, and lets those that it has not run any more."""
        if sys.is_finalizing():
            return False
        with self._lock:
            self._start()
            if not self._started or self._work.qsize() >= most:
                return False
            self._work.put(call)
            return True
