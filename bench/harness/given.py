"""Values of command lines, for argparse: numbers and folders, with messages that say what is
allowed. And failures to write the output."""

import argparse
import errno
import math
import os
import pathlib
import signal
import sys


def whole(least, most=10**9):
    def convert(text):
        if not (text.isdecimal() and least <= int(text) <= most):
            raise argparse.ArgumentTypeError(
                f"'{text}' is not a whole number from {least} to {most}"
            )
        return int(text)

    return convert


def wholes(least, most=10**9):
    """Several, separated by commas."""

    def convert(text):
        words = [word for word in text.split(",") if word]
        if not words or not all(w.isdecimal() and least <= int(w) <= most for w in words):
            raise argparse.ArgumentTypeError(
                f"'{text}' is not a list of whole numbers from {least} to {most}, separated by"
                " commas"
            )
        return [int(word) for word in words]

    return convert


def above_zero(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


def old_name(parser, old, option):
    """Lets the parser take an option by the name that it had in earlier versions, too. The help
    does not show it, and a note says what it is called now."""

    class Renamed(argparse.Action):
        def __call__(self, parser, namespace, value, _=None):
            now = option.option_strings[-1]
            print(f"{parser.prog}: {old} is now called {now}", file=sys.stderr)
            setattr(namespace, self.dest, value)

    parser.add_argument(
        old,
        dest=option.dest,
        type=option.type,
        action=Renamed,
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )


def build(parser, path):
    """The folder, if it is a build with libraries in it."""
    path = pathlib.Path(path).resolve()
    if not (path / "lib/libartel.so").exists():
        parser.error(
            f"'{path}' holds no build; cmake --preset release && cmake --build --preset release"
            " makes one in build/"
        )
    return path


def finish(name, main, failure=1):
    """Ends with the status of main(). An output that cannot be written is reported in one line;
    when its reader has gone, the program ends by SIGPIPE, as others do."""
    try:
        try:
            status = main()
        except SystemExit as end:  # of argparse
            status = end.code
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        sys.stdout.flush()
    except OSError as error:
        # Otherwise buffered output would fail again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if error.errno == errno.EPIPE and error.filename is None:
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGPIPE)
        what = error.filename or "the output"
        print(f"{name}: cannot write {what}: {error.strerror}", file=sys.stderr)
        status = failure
    sys.exit(status)
