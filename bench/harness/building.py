"""Builds the programs that bench/run measures."""

import os
import subprocess

from harness.options import BENCH, fail


def build_programs(places, only_suite):
    """Configures and builds bench/ on its own. Returns "" or a sentence about what did not build;
    the programs of other competitors are measured nevertheless."""
    configure = [
        "cmake",
        "-S",
        BENCH,
        "-B",
        places.programs,
        f"-DARTEL_BUILD={places.build}",
        f"-DBENCH_VENV={places.venv}",
        f"-DBENCH_PEERS={places.peers}",
        f"-DARTEL_LIBRARIES={places.libraries}",
    ]
    if not os.path.exists(f"{places.programs}/CMakeCache.txt"):
        configure += ["-G", "Unix Makefiles"]  # whose way of keeping going is known below
    build = [
        "cmake",
        "--build",
        places.programs,
        "-j",
        str(len(os.sched_getaffinity(0))),
        *(["--target", "suite_programs"] if only_suite else []),
        "--",
        "-k",
    ]
    for command in (configure, build):
        try:
            done = subprocess.run(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
            )
        except OSError as error:
            fail(f"the programs cannot be built: {command[0]}: {error.strerror}")
        if done.returncode != 0:
            errors = [line for line in done.stdout.splitlines() if "rror" in line]
            if command is configure:
                fail("the programs cannot be configured:\n" + done.stdout[-4000:])
            return "not all programs were built; first error: " + (errors or ["?"])[0]
    return ""
