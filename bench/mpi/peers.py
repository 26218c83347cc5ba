"""The collectives that are compared: those of each installed MPI in several variants, ours under
each MPI, and ours with one setting varied."""
from __future__ import annotations

import pathlib

import mpis

# Variants of an MPI's own collectives: name -> words for the launcher, environment.
VARIANTS = {
    "openmpi": {"tuned": ((), {}), "sm": (("--mca", "coll_sm_priority", "99"), {})},
    "openmpi5": {"": ((), {}), "sm": (("--mca", "coll_sm_priority", "99"), {})},
    "mpich": {
        "": ((), {}),
        "release_gather": ((), {"MPIR_CVAR_BCAST_POSIX_INTRA_ALGORITHM": "release_gather"}),
    },
    "intel": {
        "": ((), {}),
        "shm": ((), {"I_MPI_COLL_INTRANODE": "shm"}),
        "pt2pt": ((), {"I_MPI_COLL_INTRANODE": "pt2pt"}),
    },
}
VARIANTS["mpich5"] = VARIANTS["mpich"]


def found(libraries: pathlib.Path, folder: pathlib.Path) -> dict[str, dict]:
    """Name -> MPI, words for its launcher, and environment of each way to broadcast here."""
    result: dict[str, dict] = {}
    for mpi in mpis.installed(folder):
        for variant, (words, env) in VARIANTS.get(mpi.name, {"": ((), {})}).items():
            result[f"{mpi.name} {variant}".strip()] = dict(mpi=mpi, words=words, env=env)
        component, shim = (
            libraries / "artel-openmpi/mca_coll_artel.so",
            libraries / f"libartel-mpi-{mpi.abi}.so",
        )
        if mpi.component and component.exists():
            result[f"Artel component, {mpi.name}"] = dict(
                mpi=mpi,
                env={},
                words=("--mca", "mca_base_component_path", f"{component.parent}:SYSTEM_DEFAULT"),
            )
        if shim.exists():
            result[f"Artel shim, {mpi.name}"] = dict(
                mpi=mpi, words=(), env={"LD_PRELOAD": str(shim)}
            )
    return result


# What is varied -> name and environment, without ARTEL_MPI_, of each value.
SWEEPS = {
    "fragment": [
        ("f=%s" % f, {"FRAGMENT": f, "DIRECT": "0"})
        for f in ("4K", "8K", "12K", "16K", "32K", "64K", "128K", "0")
    ],
    "queue": [
        ("b=%s" % b, {"QUEUE": b, "DIRECT": "0", "FRAGMENT": "8K"})
        for b in ("32K", "64K", "128K", "256K", "512K", "1M", "4M")
    ],
    # The paper's rules 1 to 3 for messages of up to 16 MiB, 1 % of the memory per core, and ours.
    "rule": (
        [("queue", {"DIRECT": "0"})]
        + [
            (f"{r}, m = {m}", {"RULE": r, "LARGEST": m, "DIRECT": "0"})
            for r in ("message", "fragment", "length")
            for m in ("1M", "16M")
        ]
        + [("memory", {"RULE": "memory", "DIRECT": "0"})]
    ),
    "sets": [("q=%s" % q, {"SETS": q, "DIRECT": "0"}) for q in ("1", "2", "4", "8")],
    "stream": [
        (f"around the caches from {s}", {"STREAM": s, "DIRECT": "0"})
        for s in ("0", "1M", "2M", "4M", "8M")
    ],
    "direct": [
        (f"direct from {d}", {"DIRECT": d}) for d in ("0", "8K", "64K", "256K", "1M", "4M", "auto")
    ],
    # To be seen with several NUMA nodes and --rotate only.
    "place": [
        ("each on its node", {"DIRECT": "0"}),
        ("on the first rank's", {"PLACE": "off", "DIRECT": "0"}),
        ("by first touch", {"RESERVE": "off", "DIRECT": "0"}),
        ("by first touch, MADV_RANDOM", {"RESERVE": "off", "RANDOM": "on", "DIRECT": "0"}),
    ],
    "tree": [
        (f"{t} {k}", {"TREE": t, "K": k, "DIRECT": "0"})
        for t, k in (
            ("flat", "2"),
            ("chain", "2"),
            ("kary", "2"),
            ("kary", "4"),
            ("knomial", "2"),
            ("knomial", "4"),
            ("numa", "2"),
        )
    ],
}
