"""The libraries of Artel, found and called."""

from __future__ import annotations

import functools
import itertools
import os
import sys

CORE, OPENMP, OPENBLAS = "libartel.so.0", "libgomp-artel.so.1", "libartel-openblas.so.1"
TBB = "libtbb-artel.so.12"  # may be missing: nothing else needs it


class ArtelError(RuntimeError):
    """Artel cannot do what was asked for; the message says why."""


def loaded_files() -> list[str]:
    """The files of the libraries that this process has loaded, each once."""
    found: dict[str, None] = {}
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        for line in maps:
            at = line.find("/")
            if at >= 0 and ".so" in line:
                found[line[at:].rstrip("\n")] = None
    return list(found)


@functools.lru_cache(maxsize=None)
def at_start() -> str | None:
    """The file of the OpenMP library with which the process was started (artel run); None without.
    First asked before we load one."""
    stem = OPENMP.split(".so")[0]
    return next((file for file in loaded_files() if os.path.basename(file).startswith(stem)), None)


@functools.lru_cache(maxsize=None)
def _folders() -> list[str]:
    """Where our libraries are looked for. One process has one crew: where it runs under another
    installation of Artel, that one's."""
    here = os.path.dirname(os.path.abspath(__file__))
    data = os.path.join(here, "_data")
    named = os.environ.get("ARTEL_PYTHON_LIBRARIES")
    bases = [named] if named else [os.path.join(data, "lib"), os.path.join(data, "lib64")]
    started = at_start()
    if started is not None:
        folder = os.path.dirname(started)
        bases.insert(0, os.path.dirname(folder) if os.path.basename(folder) == "artel" else folder)
    return [os.path.join(base, sub) for base in bases for sub in ("artel", "")]


def _check_platform() -> None:
    """Raises ArtelError where no build of Artel runs."""
    machine = os.uname().machine
    if sys.platform != "linux" or machine != "x86_64":
        raise ArtelError(f"Artel runs on Linux on x86-64, not on {sys.platform} on {machine}")
    try:
        os.confstr("CS_GNU_LIBC_VERSION")
    except ValueError:
        raise ArtelError(
            "Artel needs the C library of GNU, glibc; this Python is built for another one (musl)"
        ) from None


@functools.lru_cache(maxsize=None)
def path_of(library: str) -> str:
    """The file of one of our libraries. Raises ArtelError where there is none."""
    _check_platform()
    for folder in _folders():
        path = os.path.join(folder, library)
        if os.path.exists(path):
            return path
    raise ArtelError(
        f"{library} is missing; looked in {', '.join(_folders())}. Is the package complete?"
    )


def is_ours(file: str) -> bool:
    """Whether a file is a library of ours, under whichever name: a wheel has no links, so there
    oneTBB's is a file of its own."""
    real = os.path.realpath(file)
    return "-artel.so" in os.path.basename(real) or os.path.dirname(real) in {
        os.path.realpath(os.path.join(folder, "tbb")) for folder in _folders()
    }


def _blas_wanted() -> bool:
    """Whether OpenBLAS libraries are to be told how many threads to use. Off where programs are
    only run (artel run); who asks for Artel in Python has numpy in mind, so it is set here."""
    wanted = os.environ.setdefault("ARTEL_BLAS", "true")
    return wanted.lower() not in ("false", "no", "off", "0")


def _is_sanitizer(file: str) -> bool:
    """libasan.so.8, libclang_rt.asan-x86_64.so, ..."""
    name = os.path.basename(file)
    return name.startswith("lib") and any(
        word in name for word in ("asan", "tsan", "ubsan", "lsan")
    )


def preload_value(current: str | None = None) -> str:
    """What LD_PRELOAD has to be for processes that are started from here, ours in front of
    `current`. Sanitizer runtimes stay first, as they have to be."""
    ours = [path_of(OPENMP)]
    if _blas_wanted():
        ours.append(path_of(OPENBLAS))
    others = [item for item in (current or "").replace(":", " ").split() if item not in ours]
    first = list(itertools.takewhile(_is_sanitizer, others))
    return ":".join(first + ours + others[len(first) :])


@functools.lru_cache(maxsize=None)
def load(library: str):
    """A library of ours as ctypes sees it, in front of what is loaded later. Raises ArtelError."""
    import ctypes

    _blas_wanted()  # the libraries read the setting when they are loaded
    try:
        return ctypes.CDLL(path_of(library), mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    except OSError as error:
        raise ArtelError(f"{library} cannot be loaded: {error}") from error


@functools.lru_cache(maxsize=None)
def core():
    import ctypes

    library = load(CORE)
    library.artel_num_threads.restype = ctypes.c_uint
    library.artel_width_begin.argtypes = [ctypes.c_uint]
    library.artel_width_begin.restype = ctypes.c_int
    library.artel_width_end.argtypes = []
    library.artel_width_end.restype = None
    return library


@functools.lru_cache(maxsize=None)
def openblas():
    import ctypes

    library = load(OPENBLAS)
    for name in ("look", "count", "inside"):
        function = getattr(library, "artel_openblas_" + name)
        function.argtypes = []
        function.restype = ctypes.c_uint
    library.artel_openblas_limit_here.argtypes = [ctypes.c_uint]
    library.artel_openblas_limit_here.restype = ctypes.c_uint
    library.artel_openblas_library.argtypes = [
        ctypes.c_uint,
        ctypes.POINTER(ctypes.c_int),
        ctypes.POINTER(ctypes.c_int),
    ]
    library.artel_openblas_library.restype = ctypes.c_char_p
    return library


@functools.lru_cache(maxsize=None)
def openmp():
    import ctypes

    library = load(OPENMP)
    library.omp_get_max_threads.restype = ctypes.c_int
    library.omp_set_num_threads.argtypes = [ctypes.c_int]
    library.omp_set_num_threads.restype = None
    return library


def load_tbb() -> None:
    """Whoever needs libtbb.so.12 from now on gets ours, which has that name in it. Names in it are
    seen by nobody else."""
    import ctypes

    try:
        path = path_of(TBB)
    except ArtelError:
        return
    try:
        ctypes.CDLL(path, mode=os.RTLD_LOCAL | os.RTLD_LAZY)
    except OSError as error:
        raise ArtelError(f"{TBB} cannot be loaded: {error}") from error


def library_path_value(current: str | None = None) -> str | None:
    """What LD_LIBRARY_PATH has to be so that processes that are started from here find our
    libtbb.so.12; None if it cannot be found so."""
    for folder in _folders():
        ours = os.path.join(folder, "tbb")
        if os.path.exists(os.path.join(ours, "libtbb.so.12")):
            others = [item for item in (current or "").split(":") if item and item != ours]
            return ":".join([ours, *others])
    return None


def num_threads() -> int:
    """How many threads the crew runs at a time: ARTEL_NUM_THREADS, or the CPUs that the process may
    use."""
    return int(core().artel_num_threads())
