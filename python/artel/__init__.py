"""One crew of worker threads for a whole Python process: OpenMP regions, BLAS calls and Python
threads share the CPUs.

Run a program under it (``python -m artel script.py``), or call :func:`patch` before the first
import of numpy and its kin:

>>> import artel
>>> with artel.limits(threads=1):
...     pass
>>> list(artel.map(lambda x: x * x, range(4)))
[0, 1, 4, 9]
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # as typing has it, whose import takes as long as all of ours
if TYPE_CHECKING:
    from ._executor import Executor
    from ._limits import limits
    from ._loops import map, parallel_for  # noqa: A004
    from ._native import ArtelError, num_threads
    from ._patch import ArtelWarning, Patched, patch
    from ._stats import stats

# Where each public name is; loaded when it is first asked for.
_HOMES = {
    "ArtelError": "_native",
    "ArtelWarning": "_patch",
    "Executor": "_executor",
    "Patched": "_patch",
    "limits": "_limits",
    "map": "_loops",
    "num_threads": "_native",
    "parallel_for": "_loops",
    "patch": "_patch",
    "stats": "_stats",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'artel' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_HOMES))
