"""The programs of the quick start: what is run, at which sizes, and how their answers are read."""

import dataclasses
import os
import subprocess
from typing import Callable

import agree

MATRIX_SOURCE = "/usr/share/scilab/modules/umfpack/demos/bcsstk24.rsa"
PICTURE_SOURCE = "/usr/share/matplotlib/mpl-data/sample_data/grace_hopper.jpg"


@dataclasses.dataclass
class Program:
    """One row of the comparison."""

    name: str
    title: str  # what it does, a few words
    explanation: str  # why it is here, a sentence
    command: list  # argv
    # (text of stdout and stderr) -> list of strings that have to be equal between runs
    answer: Callable
    # a file the program writes; removed before each run, so an old one is never read
    produces: str = ""


def picture_signature(path):
    """Reads the signature GraphicsMagick computes from the pixels alone, always under the stock
    runtime."""

    def read(_text):
        done = subprocess.run(
            ["gm", "identify", "-format", "%#", path], capture_output=True, text=True, check=False
        )
        signature = done.stdout.strip()
        return [f"picture {signature}"] if done.returncode == 0 and signature else []

    return read


def all_programs(examples, work, quick):
    """The rows in the order in which they run.

    examples: folder of the compiled examples; work: folder for inputs and outputs, already
    prepared; quick: small sizes."""

    def example(name):
        return os.path.join(examples, name)

    def size(normal, small):
        return str(small if quick else normal)

    matrix = os.path.join(work, "bcsstk24.mtx")
    picture = os.path.join(work, "picture.ppm")
    filtered = os.path.join(work, "filtered.ppm")
    lines = agree.result_lines
    return [
        Program(
            "ensemble",
            "nested loops, 8 x 8 threads",
            (
                "Eight shallow-water forecasts in parallel, each calling a model that opens its own"
                " parallel regions."
            ),
            [example("ensemble"), "--steps", size(200, 50)],
            lines,
        ),
        Program(
            "pyramid",
            "nested loops, 3 levels",
            (
                "Detail enhancement of a photograph: parallel over pictures, over colour planes and"
                " over rows."
            ),
            [example("pyramid"), "--picture", picture, "--passes", size(12, 3)],
            lines,
        ),
        Program(
            "cholesky-loops",
            "sparse Cholesky, BLAS in nested loops",
            (
                "Blocked Cholesky of the stiffness matrix BCSSTK24 for several shifts; loops over"
                " blocks call OpenBLAS."
            ),
            [
                example("cholesky"),
                "--matrix",
                matrix,
                "--shifts",
                size(8, 4),
                "--outer",
                "4",
                "--inner",
                "4",
            ],
            lines,
        ),
        Program(
            "cholesky-tasks",
            "sparse Cholesky, BLAS in tasks",
            "The same factorizations with one task per block.",
            [example("cholesky"), "--matrix", matrix, "--shifts", size(8, 4), "--variant", "tasks"],
            lines,
        ),
        Program(
            "openblas",
            "dense Cholesky inside OpenBLAS",
            "One dense dpotrf at a time: the parallel regions are OpenBLAS's own.",
            [
                example("cholesky"),
                "--matrix",
                matrix,
                "--shifts",
                size(2, 1),
                "--variant",
                "lapack",
            ],
            lines,
        ),
        Program(
            "queens",
            "task recursion, no cut-off",
            "All solutions of the queens problem with one task per placement.",
            [example("queens"), "--size", size(13, 11)],
            lines,
        ),
        Program(
            "mergesort",
            "task recursion, parallel merges",
            "Sorts random numbers with tasks down to pieces of 64.",
            [example("mergesort"), "--size", size(4000000, 1000000)],
            lines,
        ),
        Program(
            "graphicsmagick",
            "gm convert, six filters",
            "Debian's GraphicsMagick as it is, enlarging, sharpening and turning a photograph.",
            # fmt: off
            ["gm", "convert", PICTURE_SOURCE, "-resize", size("300%", "150%"), "-unsharp",
             "0x3+1+0", "-despeckle",
             "-rotate", "7", "-swirl", "40", "-emboss", "1", filtered],
            # fmt: on
            picture_signature(filtered),
            produces=filtered,
        ),
    ]
