#!/usr/bin/env python3
"""The table of docs/cpt-constructs.md: each row of the programs in constructs/ on each runtime that
is installed, with fewer streams than threads and with one for each. Compares with the page, or
writes it with --write. Cells of runtimes that are not installed here are taken over from the page.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "cpt-constructs.md"
RUNTIMES = ("artel", "tbb", "task", "taskloop", "abt", "taskflow", "qthreads")
# The rows of the prototype's published table, in its order, and what it has for TBB, Task,
# Taskloop, ABT and Taskflow. Where a row of it has fewer than five marks, the text that is left
# does not say which columns they stand in: two are taken for TBB and ABT, which can suspend a light
# thread, four for all but Taskflow.
SLIDES = {
    "parallel for": "+++++",
    "parallel": "+++++",
    "for": "+..+.",
    "critical": "++++.",
    "master": "+++++",
    "single": "+±±+±",
    "barrier": "+..+.",
    "flush": "+++++",
    "nowait": "+++++",
    "num_threads": "+++++",
    "private": "+++++",
    "reduction": "+++++",
    "omp_set_num_threads": "+++++",
    "omp_get_num_threads": "+++++",
    "omp_get_max_threads": "+++++",
    "omp_get_thread_num": "+++++",
    "omp_in_parallel": "+++++",
    "omp_get_num_procs": "+++++",
    "omp_init_lock": "++++.",
    "omp_destroy_lock": "++++.",
    "omp_set_lock": "++++.",
    "omp_unset_lock": "++++.",
    "omp_test_lock": "++++.",
    "omp_get_wtime": "+++++",
}
HEAD = """# cpt: constructs and runtimes

Made by `tests/cpt/constructs_test.py --write` from runs of every cell: the programs of
[constructs](../tests/cpt/constructs) have a function per row, which is run on each runtime with 4
threads on 1, 2 and 4 streams. `+`: right in all of them. The column "slides" is the prototype's
table, for TBB, Task, Taskloop, ABT and Taskflow (`.`: a gap); what was assumed where it lost a
column stands in the test. `-`: no such row there.

"""


def build(cpt, folder):
    """Translates the programs: row -> the program that has it."""
    programs = {}
    for source in sorted((HERE / "constructs").glob("*.c")):
        program = os.path.join(folder, source.stem)
        options = ["-O2", "-Wall", "-Werror", "-Wno-unknown-pragmas"]
        subprocess.run([cpt, "c", *options, source, "-o", program], check=True)
        listed = subprocess.run([program], capture_output=True, text=True, check=True)
        programs.update(dict.fromkeys(listed.stdout.splitlines(), program))
    return programs


def run(program, cpt, runtime, row):
    for streams in (1, 2, 4):
        environment = {**os.environ, "OMP_NUM_THREADS": "4", "OMP_CANCELLATION": "true"}
        try:
            done = subprocess.run(
                [cpt, "run", "--runtime", runtime, "--streams", str(streams), program, row],
                capture_output=True,
                text=True,
                timeout=60,
                env=environment,
            )
        except subprocess.TimeoutExpired:
            return "hangs"
        if done.returncode != 0:
            print(
                (
                    f"{runtime}, {row}, {streams} streams: exit status {done.returncode}:"
                    f" {done.stderr}"
                ),
                file=sys.stderr,
            )
            return "wrong"
    return "+"


def main():
    cpt = os.path.abspath(sys.argv[1])
    installed = re.search(
        r"installed: ([a-z, ]+)",
        subprocess.run([cpt, "run", "--info"], capture_output=True, text=True, check=True).stdout,
    )[1].split(", ")
    before = PAGE.read_text() if PAGE.exists() else ""
    with tempfile.TemporaryDirectory() as folder:
        programs = build(cpt, folder)
        text = (
            HEAD
            + "| construct | slides | "
            + " | ".join(RUNTIMES)
            + " |\n"
            + "|---" * (len(RUNTIMES) + 2)
            + "|\n"
        )
        for row in [*SLIDES, *(r for r in programs if r not in SLIDES)]:
            old = re.search(rf"^\| {re.escape(row)} \|.*$", before, re.M)
            old = (
                [c.strip() for c in old[0].split("|")[3:-1]] if old else ["not run"] * len(RUNTIMES)
            )
            cells = [
                run(programs[row], cpt, r, row) if r in installed else old[j]
                for j, r in enumerate(RUNTIMES)
            ]
            text += f"| {row} | {SLIDES.get(row, '-')} | " + " | ".join(cells) + " |\n"
    if "--write" in sys.argv:
        PAGE.write_text(text)
        return 0
    if text != before:
        print(
            "docs/cpt-constructs.md is not what the runs give; constructs_test.py CPT --write makes"
            " it\n" + text
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
