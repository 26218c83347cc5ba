#!/usr/bin/env python3
"""run_program.py LIBRARY PROGRAM [--threads 1,2,...] [--stock OTHER] [NAME=VALUE ...]: runs a program of this folder once under the stock runtime and,
for each number of threads, under LIBRARY by LD_PRELOAD; the outputs and the exit status must be the same. --stock: another build of the program, to be
run under its stock runtime instead, where the program's own has faults."""
import os
import subprocess
import sys


def run(program, variables, limit):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "LD_"))}
    environment.update(variables)
    done = subprocess.run([program], env=environment, capture_output=True, text=True, timeout=limit)
    return done.returncode, done.stdout, done.stderr


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
    stock = run(reference, {"OMP_NUM_THREADS": "3", **variables}, 100)
    if stock[0] != 0:
        sys.exit(f"stock runtime: status {stock[0]}\n{stock[1]}{stock[2]}")
    bad = 0
    for n in threads:
        ours = run(program, {"OMP_NUM_THREADS": n, "LD_PRELOAD": library, "UNDER_ARTEL": "1", **variables}, 100)
        if ours[:2] != stock[:2]:
            bad += 1
            print(f"{n} threads: status {ours[0]}, expected output:\n{stock[1]}got:\n{ours[1]}{ours[2]}")
    sys.exit(bad != 0)


if __name__ == "__main__":
    main()
