"""What bench/programs runs: workloads of Debian's and PyPI's programs, unmodified. tests/programs
compares their results; here they are timed.

A workload is one command. If the command prints "took S S ..." on standard error, those seconds
count, because a Python process takes longer to import than to work; else the time of the whole
process, which includes starting and ending the crew."""

import dataclasses
import glob
import os
import re
import shutil

CASES = "tests/programs/pypi_cases.py"
# Where its programs are: other programs in PATH may be scripts that start dozens of processes.
DEBIAN = "/usr/bin:/bin"
REPEATS = "3"  # of a workload within its process, after one to warm up

# Parallel loops of ImageMagick's and GraphicsMagick's libraries, several in one process as scripts
# have them.
FILTERS = {
    "imagemagick": (
        "-blur 0x3 -unsharp 0x2 -resize 130% -colorspace Lab -canny 0x1+10%+30% -morphology Dilate"
        " Disk:3"
    ),
    "graphicsmagick": "-blur 0x3 -unsharp 0x2 -resize 130% -motion-blur 0x6+45 -paint 3 -edge 2",
}
PYPI = {  # case: what it does
    "neighbours_kd_tree": (
        "scikit-learn: batches of a search by trees, asked for by joblib's threads"
    ),
    "histogram_boosting": "scikit-learn: gradient boosting on histograms",
    "kmeans": "scikit-learn: k-means",
    "lightgbm": "LightGBM: training and prediction",
    "xgboost": "XGBoost: training and prediction",
    "faiss": "faiss: exact search and inverted lists",
    "faiss_hnsw": "faiss: a graph with a lock for each point",
    "numba_omp": "numba: a short parallel loop, 50 times",
    "blas_alone": "numpy: a product and eigenvalues, by one thread",
}
NESTED = {
    "neighbours_brute": "scikit-learn: search by brute force, a team in each of joblib's threads",
    "nested_joblib": "scikit-learn: k-means and boosting in each of joblib's 2n threads",
    "blas_threads": "numpy: products of 384 x 384, from eight Python threads",
    "lapack_threads": "numpy and scipy: factorizations of 300 x 300, from four of joblib's threads",
    "libraries_together": "LightGBM, XGBoost, faiss and scikit-learn from four threads at once",
}


@dataclasses.dataclass
class Workload:
    name: str
    what: str  # a few words for the table
    command: list
    nested: bool = False  # teams within teams, or beside each other
    environment: dict = dataclasses.field(default_factory=dict)
    absent: str = ""  # why it cannot be run


def took(text):
    """The seconds in a program's last line "took S S ..."; empty when it says none."""
    lines = re.findall(r"^took ([0-9. ]+)", text, re.MULTILINE)
    return [float(word) for word in lines[-1].split()] if lines else []


def pictures(work):
    for name, command in (("imagemagick", ["convert"]), ("graphicsmagick", ["gm", "convert"])):
        found = shutil.which(command[0], path=DEBIAN)
        absent = "" if found else f"no {command[0]}: packaging/install-deps programs"
        command[0] = found or command[0]
        yield Workload(
            name,
            "six filters on 1200 x 900 points",
            [*command, f"{work}/large.ppm", *FILTERS[name].split(), "-depth", "8", "ppm:-"],
            absent=absent,
        )
        yield Workload(
            f"{name}-small",
            "one filter on 120 x 90 points: the process itself",
            [*command, f"{work}/small.ppm", "-blur", "0x3", "-depth", "8", "ppm:-"],
            absent=absent,
        )


def libraries(root, build):
    there = glob.glob("/usr/lib/*/openblas-openmp/libopenblas.so.0")
    for mode, largest, what, nested in (
        ("alone", "1000", "products and factors up to 1000 x 1000", False),
        ("inside", "500", "the same up to 500, from a team of four, without teams inside", False),
        ("nested", "333", "the same up to 333, from a team of four, with teams inside", True),
        (
            "single",
            "1000",
            "the same up to 1000, from one member of a team, ours with ARTEL_BLAS_GANGS",
            True,
        ),
        (
            "mixed",
            "500",
            "the same up to 500, and from another thread beside it, ours with ARTEL_BLAS_GANGS",
            True,
        ),
        ("pthreads", "256", "the same up to 256, from six threads", True),
    ):
        gangs = {"ARTEL_BLAS_GANGS": "on"} if mode in ("single", "mixed") else {}
        yield Workload(
            f"openblas-{mode}",
            what,
            [f"{build}/tests/programs/blas", *(there or ["none"])[:1], mode, largest],
            nested,
            gangs,
            absent="" if there else "no libopenblas0-openmp: packaging/install-deps programs",
        )
    yield Workload(
        "fftw",
        "transforms in one to three dimensions",
        [f"{build}/tests/programs/fourier", "20"],
        absent=(
            ""
            if glob.glob("/usr/lib/*/libfftw3_omp.so.3")
            else "no libfftw3-double3: packaging/install-deps programs"
        ),
    )
    yield Workload(
        "data.table",
        "R: sorting, grouping, writing and reading",
        ["/usr/bin/Rscript", f"{root}/tests/programs/table.R", REPEATS],
        environment={"R_DATATABLE_NUM_PROCS_PERCENT": "100"},
        absent=(
            "" if os.path.exists("/usr/bin/Rscript") else "no R: packaging/install-deps programs"
        ),
    )


def python(root, build):
    torch = (
        ""
        if glob.glob("/usr/lib/python3/dist-packages/torch/__init__.py")
        else "no python3-torch: packaging/install-deps programs"
    )
    for case, what in (
        ("torch_training", "torch: a small network"),
        ("torch_elementwise", "torch: many short operations on 1000 x 100 numbers"),
    ):
        yield Workload(
            case, what, ["/usr/bin/python3", "-B", f"{root}/{CASES}", case, REPEATS], absent=torch
        )
    interpreter = f"{build}/tests/programs/venv/bin/python"
    for cases, nested in ((PYPI, False), (NESTED, True)):
        for case, what in cases.items():
            blas = case.startswith(("blas", "lapack"))
            yield Workload(
                case,
                what,
                [interpreter, "-B", f"{root}/{CASES}", case, REPEATS],
                nested,
                {"ARTEL_BLAS": "true"} if blas else {},
                absent=(
                    ""
                    if os.path.exists(interpreter)
                    else "the wheels are missing: ctest -R programs:pypi installs them"
                ),
            )


def all_workloads(root, build, work):
    return [*pictures(work), *libraries(root, build), *python(root, build)]
