"""Runs the processes of cases, in turn, and adds what they measure to the results."""

import os
import sys
import time

from harness import machine, nearness, runner, runtimes, statistics
from harness.options import fail


class Progress:
    """One line on a terminal, rewritten; a line per case elsewhere."""

    def __init__(self, total):
        self.total, self.done, self.start = total, 0, time.monotonic()
        self.terminal, self.last_case = sys.stderr.isatty(), None

    def show(self, case, column):
        self.done += 1
        spent = time.monotonic() - self.start
        left = spent / max(self.done - 1, 1) * (self.total - self.done + 1) if self.done > 1 else 0
        line = f"[{self.done}/{self.total}] {case}  {column}  about {left / 60:.0f} min left"
        if self.terminal:
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
        elif case != self.last_case:
            print(line, file=sys.stderr, flush=True)
        self.last_case = case

    def end(self):
        if self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def run_case(case, places, options, progress, results, gate):
    """All processes of one case, interleaved; adds its figures to the results."""
    columns = {}
    for column in case.columns:
        path = runtimes.resolve(places, column, case.program)
        if column.absent:
            results["left_out"][f"{case.section.split()[0]}: {column.name}"] = column.absent
        else:
            columns[column.name] = (column, path)
    collected, errors, failures = {name: {} for name in columns}, {}, {}
    monitor = machine.Monitor()
    monitor.start()
    for name in statistics.interleave(list(columns), options.rounds):
        column, path = columns[name]
        progress.show(case.name, name)
        if failures.get(name, 0) >= 2:
            continue  # it has failed twice: do not spend minutes on time-outs
        environment = runner.clean_environment(os.environ)
        environment.update(case.environment)
        environment.update(column.environment)
        command = [
            path,
            "--threads",
            str(case.threads),
            "--seconds",
            str(options.seconds * case.share),
            *case.arguments,
            *column.arguments,
        ]
        measures, error = gate.run(
            lambda: runner.run_process(command, environment, 60 + 60 * options.seconds)
        )  # noqa: B023
        error = error or runner.wrong_library(column, measures)
        if error:
            failures[name] = failures.get(name, 0) + 1
            errors[name] = error
            results["problems"].append(f"{case.name}, {name}: {error}")
            continue
        for line in measures:
            for which in ("library", "second_library"):
                if os.path.isabs(line.get(which, "")):
                    line[which] = tail_of(line[which], places)
            collected[name].setdefault(line["measure"], []).append(line)
    results["cases"].append({"name": case.name, **monitor.stop()})

    ours = [column.name for column in case.columns if column.ours]
    results["failed"] = results["failed"] or any(name in errors for name in ours)
    measures = {}
    for lines in collected.values():
        measures.update(dict.fromkeys(lines))
    for measure in measures or ([case.program] if errors else []):
        results["figures"][case.key(measure)] = {
            "section": case.section,
            "columns": [column.name for column in case.columns],
            "ours": ours,
            "errors": errors,
            "results": {
                name: statistics.combine(lines[measure])
                for name, lines in collected.items()
                if measure in lines
            },
            "processes": {
                name: lines[measure] for name, lines in collected.items() if measure in lines
            },
        }


def make_gate(options, places):
    """The object that decides which processes count."""
    if options.near is None:
        return nearness.Always()
    probe = f"{places.programs}/bin/probe"
    try:
        nearness.round_trip(probe)
    except (OSError, ValueError) as error:
        fail(f"--near: {probe} does not tell how near the CPUs are: {error}")
    return nearness.Near(probe, options.near)


def tail_of(path, places):
    """The path without the parts that exist on this machine only."""
    path = os.path.normpath(path)
    return os.path.relpath(path, places.root) if path.startswith(places.root + os.sep) else path
