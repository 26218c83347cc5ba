"""Brings Artel into this process, and into those that it starts."""

from __future__ import annotations

import collections
import importlib.machinery
import os
import threading
import warnings

from . import _native

# Beginnings of the file names of runtimes whose place ours take.
_RUNTIMES = ("libgomp", "libomp.so", "libomp-", "libiomp5", "libtbb.so")
_lock = threading.Lock()
_patched: Patched | None = None


class ArtelWarning(UserWarning):
    """Something of the process cannot be served by Artel."""


class Patched(collections.namedtuple("Patched", ("preloaded", "late", "openblas"))):
    """What :func:`patch` found.

    preloaded: the process was started with Artel in it (``artel run``).
    late: files of OpenMP runtimes and of oneTBB that had been loaded before; they keep the threads
    that they have. openblas: files of the OpenBLAS libraries that are told how many threads to use.
    """

    __slots__ = ()
    preloaded: bool
    late: tuple[str, ...]
    openblas: tuple[str, ...]


def openblas_files() -> tuple[str, ...]:
    import ctypes

    library = _native.openblas()
    limit, told = ctypes.c_int(), ctypes.c_int()
    names = (
        library.artel_openblas_library(i, limit, told)
        for i in range(library.artel_openblas_count())
    )
    return tuple(os.fsdecode(name) for name in names if name)


def _look_after_each_import(look) -> None:
    """Extension modules bring BLAS libraries, whose first call may come in the module's own
    initialization: looked for between the two."""
    loader = importlib.machinery.ExtensionFileLoader
    create = loader.create_module

    def create_module(self, spec):
        module = create(self, spec)
        look()
        return module

    create_module.__doc__ = create.__doc__
    code = getattr(create, "__code__", None)
    if code is not None:  # others may have put an object in its place
        # Frames of files of these names are left out of what is shown of an import that fails.
        create_module.__code__ = create_module.__code__.replace(co_filename=code.co_filename)
    loader.create_module = create_module


def _tell_children() -> None:
    ours = _native.path_of(_native.OPENMP)
    if any(character in ours for character in " :;$"):
        warnings.warn(
            f"processes that are started from here will not have Artel: the dynamic linker takes no"
            f" name with a space, colon, semicolon or dollar, as in {ours}",
            ArtelWarning,
            stacklevel=3,
        )
        return
    os.environ["LD_PRELOAD"] = _native.preload_value(os.environ.get("LD_PRELOAD"))
    found = _native.library_path_value(os.environ.get("LD_LIBRARY_PATH"))
    if found is not None:
        os.environ["LD_LIBRARY_PATH"] = found


def patch(*, children: bool = True) -> Patched:
    """Lets OpenMP runtimes, OpenBLAS libraries and oneTBB that are loaded from now on share one
    crew of threads; OpenBLAS also if it is loaded already.

    Call it before importing numpy and its kin. With `children` the environment is changed so that
    processes which this one starts (subprocess, multiprocessing by spawn or forkserver, joblib's
    loky) have Artel from the start. A second call changes nothing and returns what is found now.

    Raises :class:`ArtelError` if the libraries cannot be loaded, and warns (:class:`ArtelWarning`)
    about OpenMP runtimes and oneTBB where they are there already.
    """
    global _patched
    with _lock:
        if _patched is not None:
            _native.openblas().artel_openblas_look()
            _patched = _patched._replace(openblas=openblas_files())
            return _patched
        _native.path_of(_native.OPENMP)
        preloaded = _native.at_start() is not None
        late: tuple[str, ...] = ()
        if not preloaded:
            late = tuple(
                f
                for f in _native.loaded_files()
                if os.path.basename(f).startswith(_RUNTIMES) and not _native.is_ours(f)
            )
        _native.openmp()
        look = _native.openblas().artel_openblas_look
        look()
        if not preloaded:
            _look_after_each_import(look)
            _native.load_tbb()
        if children:
            _tell_children()
        _patched = Patched(preloaded, late, openblas_files())
        if late:
            warnings.warn(
                f"loaded before artel.patch(), so not served by Artel: {', '.join(late)}",
                ArtelWarning,
                stacklevel=2,
            )
        return _patched


def _forget_lock() -> None:
    """In the child of a fork, which another thread's call may have left it taken in."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget_lock)
