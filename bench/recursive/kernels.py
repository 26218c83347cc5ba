"""The programs of the kernels, and the contenders that run them."""
from __future__ import annotations

import argparse
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KERNELS = ("fft", "uts", "sort", "strassen")


def build(folder: pathlib.Path, build_folder: pathlib.Path) -> dict[str, pathlib.Path]:
    """The programs, by what they are linked to."""
    options = ["-O2", "-std=gnu11", "-D_GNU_SOURCE"]
    objects = []
    for source in ("main.c", *(f"{kernel}.c" for kernel in KERNELS)):
        objects.append(folder / f"{source}.o")
        subprocess.run(["gcc", *options, "-c", HERE / source, "-o", objects[-1]], check=True)
    lib = build_folder / "lib"
    ways = {
        "serial": ["gcc"],
        "gcc": ["gcc", "-fopenmp", "-DWITH_OPENMP"],
        "clang": ["clang-19", "-fopenmp", "-DWITH_OPENMP"],
        "qthreads": ["gcc", "-DWITH_QTHREADS", f"-I{ROOT}/facades/qthreads/include"],
        "argobots": ["gcc", "-DWITH_ARGOBOTS", f"-I{ROOT}/facades/argobots/include"],
    }
    libraries = {
        "qthreads": [lib / "libqthread-artel.so.1"],
        "argobots": [lib / "libabt-artel.so.1"],
    }
    for name, command in ways.items():
        subprocess.run(
            [
                *command,
                *options,
                HERE / "tasks.c",
                *objects,
                *libraries.get(name, []),
                "-lm",
                "-o",
                folder / name,
            ],
            check=True,
        )
    return {name: folder / name for name in ways}


def contenders(
    programs: dict[str, pathlib.Path], options: argparse.Namespace
) -> dict[str, tuple[pathlib.Path, dict[str, str]]]:
    """Name: program, and what its environment has more."""
    lib = options.build / "lib"
    found = {
        "serial": (programs["serial"], {}),
        "libgomp": (programs["gcc"], {}),
        "libgomp, bound": (programs["gcc"], {"OMP_PROC_BIND": "true"}),
        "libomp": (programs["clang"], {}),
        "libomp, bound": (programs["clang"], {"OMP_PROC_BIND": "true"}),
        "Artel's OpenMP": (programs["gcc"], {"LD_PRELOAD": f"{lib}/libgomp-artel.so.1"}),
        "Artel, Qthreads": (programs["qthreads"], {"LD_LIBRARY_PATH": f"{lib}/qthreads:{lib}"}),
        "Artel, Argobots": (programs["argobots"], {"LD_LIBRARY_PATH": f"{lib}/argobots:{lib}"}),
    }
    if options.libiomp5:
        # Under the name of libomp, which it is compatible with.
        (programs["gcc"].parent / "libomp.so.5").symlink_to(
            options.libiomp5.resolve() / "libiomp5.so"
        )
        found["libiomp5"] = (programs["clang"], {"LD_LIBRARY_PATH": str(programs["gcc"].parent)})
    if options.qthreads:
        found["stock Qthreads"] = (
            programs["qthreads"],
            {"LD_LIBRARY_PATH": str(options.qthreads.resolve())},
        )
    if options.argobots:
        found["stock Argobots"] = (
            programs["argobots"],
            {"LD_LIBRARY_PATH": str(options.argobots.resolve())},
        )
    return found
