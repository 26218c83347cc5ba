"""What the tests of bench/run share: where it lies, and lines and results as its programs give
them."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "bench"))

from harness import runtimes, statistics  # noqa: E402


PLACES = runtimes.Places(
    ROOT, "/nowhere", "/nowhere/bench-programs", "/nowhere/venv", "/nowhere/peers"
)


def line(median, minimum=None, p90=None, **more):
    return {
        "measure": "m",
        "unit": "us",
        "median": median,
        "min": minimum or median,
        "p90": p90 or median,
        **more,
    }


def results(**more):
    """Results of one figure on a quiet machine; `more` replaces parts of them."""
    figure = {
        "section": "openmp",
        "columns": ["artel", "libgomp", "libomp"],
        "ours": ["artel"],
        "errors": {"libomp": "killed by SIGSEGV"},
        "results": {
            "artel": statistics.combine([line(0.3)]),
            "libgomp": statistics.combine([line(0.6)]),
        },
    }
    base = {
        "machine": {
            "time": "now",
            "cpu": "x",
            "cpus": 2,
            "hypervisor": True,
            "kernel": "6",
            "governor": "none",
            "load_before": ["0", "0", "0"],
            "compilers": {"gcc": "g", "clang": "c"},
            "libraries": {"l": "1"},
            "artel": "v",
        },
        "rounds": 5,
        "seconds": 0.5,
        "figures": {"openmp.region@2": figure},
        "cases": [{"name": "openmp.region@2", "seconds": 1, "others": 0.0, "steal": 0.0}],
        "problems": [],
        "left_out": {},
    }
    return {**base, **more}


def loop_results(ours, peers, processes=5):
    """Results of spmv-balanced@2: {size: median} of ours, {name: {size: median}} of peers."""
    found = results(figures={}, cases=[])
    for size in ours:
        columns = {"artel": ours[size], **{name: values[size] for name, values in peers.items()}}
        lines = {
            name: [line(value * (1 + 0.001 * i)) for i in range(processes)]
            for name, value in columns.items()
        }
        found["figures"][f"loops.spmv-balanced/{size}@2"] = {
            "section": "loops spmv-balanced",
            "columns": list(columns),
            "ours": ["artel"],
            "errors": {},
            "results": {name: statistics.combine(some) for name, some in lines.items()},
            "processes": lines,
        }
    return found
