#!/usr/bin/env python3
"""run_program.py LIBRARY PROGRAM [--threads 1,2,...] [--stock OTHER] [NAME=VALUE ...]: runs a
program of this folder once under the stock runtime and, for each number of threads, under LIBRARY
by LD_PRELOAD; the outputs and the exit status must be the same. --stock: another build of the
program, to be run under its stock runtime instead, where the program's own has faults.

How long a program takes depends on what else the machine does, so none is stopped for that: only
one that stands still, whose processes use no CPU time for as long as that; then the stacks of all
of them are printed, if there is gdb. What spins for ever is up to ctest's limit."""
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from stacks import print_stacks  # noqa: E402  pylint: disable=wrong-import-position

STANDS_STILL = 100  # seconds


def cpu_ticks(group):
    """Of the processes of a group, with what they have waited for."""
    ticks = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            ticks += sum(map(int, fields[11:15]))
    return ticks


def run(program, variables):
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "LD_"))
    }
    environment.update(variables)
    with subprocess.Popen(
        [program],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        ticks, since = -1, 0.0
        while True:
            try:
                output, errors = process.communicate(timeout=5)
                return process.returncode, output, errors
            except subprocess.TimeoutExpired:
                now = cpu_ticks(process.pid)
            if now != ticks:
                ticks, since = now, time.monotonic()
            elif time.monotonic() - since > STANDS_STILL:
                print_stacks(process.pid)
                os.killpg(process.pid, signal.SIGKILL)
                output, errors = process.communicate()
                return f"stood still for {STANDS_STILL} s", output, errors


def main():
    library, program = sys.argv[1:3]
    threads = ["1", "2", "7", "16", "64"]
    reference = program
    variables = {}
    rest = sys.argv[3:]
    while rest:
        word = rest.pop(0)
        if word == "--threads":
            threads = rest.pop(0).split(",")
        elif word == "--stock":
            reference = rest.pop(0)
        else:
            name, value = word.split("=", 1)
            variables[name] = value
    stock = run(reference, {"OMP_NUM_THREADS": "3", **variables})
    if stock[0] != 0:
        sys.exit(f"stock runtime: status {stock[0]}\n{stock[1]}{stock[2]}")
    bad = 0
    for n in threads:
        ours = run(
            program, {"OMP_NUM_THREADS": n, "LD_PRELOAD": library, "UNDER_ARTEL": "1", **variables}
        )
        if ours[:2] != stock[:2]:
            bad += 1
            print(
                f"{n} threads: status {ours[0]}, expected"
                f" output:\n{stock[1]}got:\n{ours[1]}{ours[2]}"
            )
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
