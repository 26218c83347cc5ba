"""The package by itself: its names, its types, what importing it loads, examples of its pages."""

import ctypes
import doctest
import importlib
import os

import artel
import pytest
from artel import _native

MODULES = [
    "",
    ".dask",
    "._executor",
    "._limits",
    "._loops",
    "._nodes",
    "._stats",
    ".joblib",
    ".threadpoolctl",
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    needed = {"joblib": "joblib", "threadpoolctl": "threadpoolctl", "dask": "dask"}
    if name[1:] in needed:
        pytest.importorskip(needed[name[1:]])
    done = doctest.testmod(importlib.import_module("artel" + name))
    assert done.failed == 0
    assert done.attempted > 0


def test_version():
    version = _native.core().artel_version
    version.restype = ctypes.c_char_p
    assert version().decode() == artel.__version__


def test_it_says_that_it_is_typed():
    assert os.path.exists(os.path.join(os.path.dirname(artel.__file__), "py.typed"))


def test_import_loads_nothing(run):
    done = run(
        "-c",
        (
            "import sys, artel; print(sorted({'ctypes', 'concurrent.futures', 'numpy'} &"
            " set(sys.modules)), 'libartel' in open('/proc/self/maps').read())"
        ),
    )
    assert done.stdout == "[] False\n"


def test_all_names_are_there():
    for name in artel.__all__:
        assert getattr(artel, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        artel.nonsense


def test_sanitizers_stay_first_of_what_is_preloaded(run):
    done = run(
        "-c",
        """
import os
from artel import _native
before = "/lib/libasan.so.8 /lib/libtsan.so:/lib/libother.so:/lib/libubsan.so"
print(*map(os.path.basename, _native.preload_value(before).split(":")))
""",
    )
    assert done.stdout == (
        "libasan.so.8 libtsan.so libgomp-artel.so.1 libartel-openblas.so.1 libother.so libubsan.so"
        "\n"
    )


def test_missing_libraries_are_named(run):
    done = run("-m", "artel", "-c", "pass", check=False, ARTEL_PYTHON_LIBRARIES="/nowhere")
    assert done.returncode == 1
    assert "libgomp-artel.so.1 is missing; looked in /nowhere/artel" in done.stderr
