"""The loop suite (bench/suite): its benchmarks, what must show in each, and the competitors it runs
them with.

A case is one benchmark at one number of threads; a column is one runtime with one of its ways to
distribute iterations."""

import dataclasses
import os
import subprocess
import sys

from . import runtimes


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """One benchmark of the suite. Sizes are chosen by the program."""

    name: str
    title: str
    size: str  # what its sizes count; the x axis
    nested: bool = False  # has loops inside loops: columns with and without nested regions
    forks: bool = False  # forks and joins, no loops: a runtime has one way to do that
    share: float = 1.0  # of the sampling time of one measure
    without: tuple = ()  # competitors that cannot run it
    unit: str = "us"


BENCHMARKS = (
    Benchmark("spmv-balanced", "Sparse matrix times vector, rows alike", "width of a row"),
    Benchmark(
        "spmv-triangle", "Sparse matrix times vector, rows falling linearly", "width of a row"
    ),
    Benchmark(
        "spmv-hyperbolic", "Sparse matrix times vector, rows falling as 1/i", "width of a row"
    ),
    Benchmark("rows-alike", "Sparse matrix times vector, rows of 64 entries", "rows"),
    Benchmark(
        "rows-falling", "Sparse matrix times vector, rows falling linearly from 128 entries", "rows"
    ),
    Benchmark("reduce", "Sum of an array in blocks of 1024", "numbers"),
    Benchmark("blocks", "Sum of 2^21 numbers in blocks", "numbers of a block"),
    Benchmark("scan", "Running totals, 2 log N loops", "numbers"),
    Benchmark("mmultiply", "Matrix product, a loop in a loop", "order", nested=True, share=2),
    Benchmark(
        "mtranspose", "Transposition in 16 by 16 blocks, a loop in a loop", "order", nested=True
    ),
    Benchmark(
        "inner",
        "Short loops inside a loop that keeps all workers busy, per loop",
        "steps",
        nested=True,
        unit="ns",
        share=0.5,
    ),
    Benchmark(
        "scheduling",
        "From the call to the first iteration of each worker",
        "worker, in the order of starting",
        unit="ns",
        without=("rayon", "serial"),
    ),
    Benchmark("fib", "Fork-join Fibonacci numbers, per spawn", "n", forks=True, unit="ns"),
    Benchmark(
        "tree",
        "Search of an unbalanced tree, per node",
        "children of the root",
        forks=True,
        unit="ns",
    ),
    Benchmark("matrix", "A real sparse matrix (Matrix Market) times vector", "entries"),
    Benchmark("mandelbrot", "Mandelbrot set, a row an iteration", "rows"),
    Benchmark("nbody", "Forces within a cutoff, a cell an iteration", "particles"),
    Benchmark(
        "wavefront",
        "Longest common subsequence, a loop for each anti-diagonal",
        "blocks in each direction",
    ),
    Benchmark(
        "threads",
        "Loops from several threads of the program at once, per loop",
        "threads",
        without=("rayon",),
    ),
    Benchmark(
        "cotenant",
        "Sparse matrix times vector beside a foreign process that spins on one CPU",
        "width of a row",
        without=("rayon",),
    ),
)

SCHEDULES = ("static", "dynamic", "dynamic16", "guided")
THESIS = {"OMP_WAIT_POLICY": "active", "KMP_BLOCKTIME": "infinite"}
OURS = "artel"  # the column for which targets are: the default, without a choice by the user

FLOOR = "serial"  # no runtime at all: no competitor is expected to be faster at small sizes

FAMILIES = (
    "artel",
    "libgomp",
    "libomp",
    "tbb-debian",
    "tbb-pypi",
    "taskflow",
    "eigen",
    "rayon",
    "std-par",
    FLOOR,
)


def _openmp(places, name, benchmark, threads, full):
    library = {"libgomp": "/libgomp.so.1", "libomp": "/libomp.so.5"}[name]
    active, passive = dict(THESIS), {"OMP_WAIT_POLICY": "passive"}
    if threads <= len(os.sched_getaffinity(0)):
        active["OMP_PROC_BIND"] = "close"
    if benchmark.forks:
        yield name, "static", active, library
        yield f"{name}/passive", "static", passive, library
        return
    schedules = SCHEDULES + (("monotonic-dynamic", "monotonic-guided") if full else ())
    # Regions in regions have the square of so many threads: with more threads than CPUs a product
    # of order 256 then takes a minute.
    deep = not benchmark.nested or full or threads <= len(os.sched_getaffinity(0))
    for suffix, environment in (("", active), ("/passive", passive)) if deep else ():
        for schedule in schedules:
            levels = {"OMP_MAX_ACTIVE_LEVELS": "8"} if benchmark.nested else {}
            yield f"{name}-{schedule}{suffix}", schedule, {**environment, **levels}, library
    if benchmark.nested:
        for schedule in schedules:
            yield f"{name}-{schedule}/1-level", schedule, {
                **active,
                "OMP_MAX_ACTIVE_LEVELS": "1",
            }, library


def _variants(places, name, benchmark, threads, full):
    """(column, variant, environment, library) of one competitor."""
    if name in ("libgomp", "libomp"):
        yield from _openmp(places, name, benchmark, threads, full)
        return
    ways = {
        # Those of the thesis's figures 10 and 11; --full: all that there are.
        "artel": ("automatic", "static", "simple", "timespan", "timespan-grain")
        + (("dynamic", "guided", "lazy", "heartbeat") if full else ()),
        "tbb-debian": ("simple", "auto", "affinity", "static"),
        "tbb-pypi": ("simple", "auto", "affinity", "static"),
        "taskflow": ("static", "guided", "dynamic", "random"),
        "eigen": ("static", "device"),
        "rayon": ("adaptive", "single"),
        "std-par": ("par",),
        FLOOR: ("plain",),
    }[name]
    if benchmark.forks:
        ways = ways[:1]
    library = {
        "tbb-debian": "/libtbb.so.12",
        "tbb-pypi": f"{places.venv}/lib/libtbb.so.12",
        "artel": "/libartel.so",
    }.get(name, "")
    for way in ways:
        column = OURS if way == "automatic" else name if len(ways) == 1 else f"{name}-{way}"
        yield column, way, {"LD_LIBRARY_PATH": places.libraries} if name == "artel" else {}, library


def columns(places, benchmark, threads, full):
    """The columns of one benchmark."""
    found = []
    for name in FAMILIES:
        if name in benchmark.without:
            continue
        if name == "eigen" and (benchmark.nested or benchmark.forks):
            continue  # waiting inside a task would block its worker
        if name == "std-par" and benchmark.forks:
            continue
        for column, variant, environment, library in _variants(
            places, name, benchmark, threads, full
        ):
            found.append(
                runtimes.Runtime(
                    column,
                    name == "artel",
                    f"suite-{name}",
                    environment,
                    library,
                    "",
                    ["--what", benchmark.name, "--variant", variant],
                )
            )
    return found


def family(column):
    """The competitor a column belongs to."""
    return max(
        (
            name
            for name in FAMILIES
            if column == name or column.startswith((name + "-", name + "/"))
        ),
        key=len,
        default=column,
    )


def against(cases, wanted):
    """Keeps the peers whose column or family is in `wanted` (a list; none: all of them), and
    ours."""
    if wanted:
        for case in cases:
            case.columns = [
                column
                for column in case.columns
                if column.ours
                or column.name == FLOOR
                or column.name in wanted
                or family(column.name) in wanted
            ]
    return [
        case
        for case in cases
        if any(not column.ours and column.name != FLOOR for column in case.columns) or not wanted
    ]


# a real matrix that Debian ships, in scilab-doc
MATRIX_SOURCE = "/usr/share/scilab/modules/umfpack/demos/bcsstk24.rsa"


def matrix_file(places):
    """(path of a Matrix Market file, why there is none): the real matrix that Debian ships,
    converted once."""
    path = f"{places.programs}/bcsstk24.mtx"
    if os.path.exists(path):
        return path, ""
    converters = (f"{places.root}/examples/data/hb2mtx.py", f"{places.root}/bench/data/hb2mtx.py")
    converter = next((each for each in converters if os.path.exists(each)), None)
    if converter is None or not os.path.exists(MATRIX_SOURCE):
        return "", "no matrix: install scilab-doc, or give one by --matrix"
    os.makedirs(places.programs, exist_ok=True)
    done = subprocess.run(
        [sys.executable, converter, MATRIX_SOURCE, path],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return (path, "") if done.returncode == 0 else ("", done.stderr.strip())


def cases(places, make, threads=(2, 16), scale=1):
    """All cases of the suite; `make` is figures.Case. scale: 0 few sizes, 1 the usual ones, 2 all,
    with more schedules."""
    for count in threads:
        for benchmark in BENCHMARKS:
            yield make(
                f"loops {benchmark.name}",
                f"loops.{benchmark.name}@{count}",
                "",
                count,
                columns(places, benchmark, count, scale == 2),
                "",
                ["--scale", str(scale)],
                {},
                0.1 * benchmark.share,
            )


def give_matrix(some, places, path):
    """Gives the cases that read a matrix its file; without a matrix their columns are left out."""
    some = [case for case in some if case.name.startswith("loops.matrix@")]
    if not some:
        return
    path, why = (os.path.abspath(path), "") if path else matrix_file(places)
    for case in some:
        case.arguments += ["--file", path]
        for column in case.columns:
            column.absent = column.absent or why
