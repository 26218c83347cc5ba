"""Shows progress: one line that is redrawn on a terminal, elsewhere a plain line now and then."""

import shutil
import sys
import time


class Progress:
    """Status of a long job on a stream. say() is for lines that stay, status() for the one that is
    redrawn."""

    def __init__(self, stream=sys.stdout, plain_interval=15.0):
        self._stream = stream
        self._terminal = stream.isatty()
        self._interval = plain_interval
        self._last_plain = time.monotonic()
        self._shown = False

    def status(self, text):
        """What happens right now. Without a terminal it is printed only if nothing was printed for
        a while."""
        if self._terminal:
            width = shutil.get_terminal_size((100, 24)).columns
            self._stream.write("\r\x1b[K" + text[: width - 1])
            self._shown = True
        elif time.monotonic() - self._last_plain >= self._interval:
            self._stream.write(text + "\n")
            self._last_plain = time.monotonic()
        self._stream.flush()

    def say(self, text=""):
        """A line that stays."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._shown = False
        self._stream.write(text + "\n")
        self._stream.flush()
        self._last_plain = time.monotonic()
