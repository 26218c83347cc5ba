"""Numbers and folders of a command line, for argparse: what is not allowed is told with what is."""

import argparse
import math
import pathlib


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


def build(parser, path):
    """The folder, if it is a build with libraries in it."""
    path = pathlib.Path(path).resolve()
    if not (path / "lib/libartel.so").exists():
        parser.error(
            f"'{path}' holds no build; cmake --preset release && cmake --build --preset release"
            " makes one in build/"
        )
    return path
