"""Programs that print a line for each case (name, median and minimum over rounds, with tabs
between), which contenders run in turn."""

import os
import subprocess

from . import statistics


def measure(program, variables, *arguments):
    """{case: (median, minimum)} of one process. A case with one figure has it as both."""
    text = subprocess.run(
        [program, *arguments],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    rows = (line.split("\t") for line in text.splitlines())
    return {name: (float(numbers[0]), float(numbers[-1])) for name, *numbers in rows}


def in_turn(contenders, rounds, run, said=lambda number: None):
    """{case: {contender: {"median", "min"}}}: the median over processes of their medians, and the
    smallest minimum. run(what) gives what measure() does, for each {contender: what}; said(number)
    is called after each round."""
    runs = {name: [] for name in contenders}
    for number in range(1, rounds + 1):
        for name, what in contenders.items():  # so that a disturbance affects all
            runs[name].append(run(what))
        said(number)
    return {
        case: {
            name: {
                "median": statistics.median([run[case][0] for run in of]),
                "min": min(run[case][1] for run in of),
            }
            for name, of in runs.items()
        }
        for case in next(iter(runs.values()))[0]
    }


def line(case, figures, digits=1):
    """A case's figures for people."""
    return f"{case:48} " + "   ".join(
        f"{name} {of['median']:11.{digits}f} {of['min']:11.{digits}f}"
        for name, of in figures.items()
    )
