"""Who serves what: the OpenMP, BLAS and TBB libraries of a process, and who runs their threads."""

from __future__ import annotations

import importlib
import importlib.util
import os

from . import _native, _patch, _stats

# Imported, where they are installed and nothing else is named.
USUAL = (
    "numpy",
    "scipy.linalg",
    "sklearn.cluster",
    "lightgbm",
    "xgboost",
    "faiss",
    "numba",
    "torch",
)
_KINDS = (
    ("libgomp-artel", "OpenMP, all interfaces", "the crew"),
    ("libgomp", "OpenMP of gcc", None),
    ("libomp", "OpenMP of clang", None),
    ("libiomp5", "OpenMP of Intel", None),
    ("libtbb-artel", "oneTBB", "the crew"),
    ("libtbb.", "oneTBB", "threads of its own, because it was loaded before Artel"),
    ("libtbb", "oneTBB", "threads of its own"),
    ("libmkl", "MKL", "its OpenMP runtime"),
    ("mkl_", "MKL", "its OpenMP runtime"),
    ("libblis", "BLIS", "threads of its own"),
)


def report(modules: tuple[str, ...] = ()) -> tuple[list[str], bool]:
    """Lines for people, and whether everything is served as it can be. Imports the modules first,
    where they are installed."""
    lines, fine = [], True
    patched = _patch.patch()
    for name in modules or USUAL:
        try:
            if not modules and importlib.util.find_spec(name.split(".")[0]) is None:
                continue
            importlib.import_module(name)
        except Exception as error:  # noqa: BLE001: whatever a module raises
            lines.append(f"{name}: cannot be imported: {error}")
            fine = fine and not modules
    state = _stats.stats()
    width = state["threads"]
    lines.append(
        f"Artel: a crew of {width} thread{'s' if width != 1 else ''},"
        f" {'preloaded' if patched.preloaded else 'loaded by Python'}"
    )
    served = {os.path.realpath(item["file"]): item for item in state["blas"]}
    ours = _native.openmp()
    for file in _native.loaded_files():
        name = os.path.basename(file)
        if file in served:
            limit = served[file]["limit"]
            lines.append(
                f"OpenBLAS: {file}: threads of its own, told by Artel how many to use, at most"
                f" {limit}"
            )
        elif "openblas" in name and "artel" not in name:
            lines.append(
                f"OpenBLAS: {file}: not known to Artel; its calls use as many threads as it wants"
            )
            fine = False
        else:
            for beginning, what, who in _KINDS:
                if name.startswith(beginning):
                    if _native.is_ours(file):
                        who = "the crew"
                    late = file in patched.late
                    fine = fine and not late
                    text = who or (
                        "threads of its own, because it was loaded before Artel"
                        if late
                        else "the crew, through libgomp-artel"
                    )
                    lines.append(f"{what}: {file}: {text}")
                    break
    lines.append(
        f"regions of this thread have {ours.omp_get_max_threads()} members;"
        f" {state['os_threads']} threads exist now"
    )
    return lines, fine


def main(words: list[str]) -> int:
    lines, fine = report(tuple(words))
    print("\n".join(lines))
    return 0 if fine else 1
