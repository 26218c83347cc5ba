"""The package by itself: no other one is needed."""

import ctypes
import doctest
import importlib
import threading

import artel
import pytest


@pytest.mark.parametrize(
    "name", ["artel", "artel._limits", "artel._loops", "artel._executor", "artel._stats"]
)
def test_examples_in_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


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


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", None, True])
def test_limits_refuse_nonsense(threads):
    with pytest.raises(ValueError, match="expected a whole number from 1 on"), artel.limits(
        threads
    ):
        pass


def test_limits_hold_for_regions_and_end():
    before = artel.stats()["openmp_threads"]
    with artel.limits(threads=1):
        assert artel.stats()["openmp_threads"] == 1
        with artel.limits(threads=8):
            assert artel.stats()["openmp_threads"] == 1
        seen = []
        other = threading.Thread(target=lambda: seen.append(artel.stats()["openmp_threads"]))
        other.start()
        other.join()
        assert seen == [before]
    assert artel.stats()["openmp_threads"] == before


def test_limits_end_after_an_exception():
    before = artel.stats()["openmp_threads"]
    with pytest.raises(KeyError), artel.limits(1):
        raise KeyError
    assert artel.stats()["openmp_threads"] == before


def test_map_keeps_order_and_may_be_nested():
    table = artel.map(lambda i: artel.map(lambda k: i * k, range(20), chunk=3), range(30))
    assert table == [[i * k for k in range(20)] for i in range(30)]
    assert artel.map(len, []) == []
    with pytest.raises(ValueError, match="chunk"):
        artel.map(len, [], chunk=0)


def test_map_raises_what_the_function_raises():
    def fail(i):
        if i == 5:
            raise LookupError("five")
        return i

    with pytest.raises(LookupError, match="five"):
        artel.map(fail, range(100))
    assert artel.map(fail, range(5)) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("grain", [1, 7, 1000])
def test_parallel_for_covers_the_range_once(grain):
    seen = [0] * 500

    def body(begin, end):
        for i in range(begin, end):
            seen[i] += 1

    artel.parallel_for(0, 500, body, grain=grain)
    assert seen == [1] * 500
    artel.parallel_for(3, 3, body)
    artel.parallel_for(3, -3, body)
    assert sum(seen) == 500


def test_parallel_for_calls_c_functions():
    # memset(context, begin, end): the right type for what it is called with.
    libc = ctypes.CDLL(None)
    buffer = ctypes.create_string_buffer(64)
    address = ctypes.cast(libc.memset, ctypes.c_void_p).value
    artel.parallel_for(7, 8, address, context=ctypes.addressof(buffer))
    assert buffer.raw[:9] == b"\x07" * 8 + b"\x00"
    artel.parallel_for(9, 10, libc.memset, context=ctypes.addressof(buffer))
    assert buffer.raw[:11] == b"\x09" * 10 + b"\x00"


def test_parallel_for_refuses_nonsense():
    with pytest.raises(TypeError, match="expected a C function or a Python one, not str"):
        artel.parallel_for(0, 3, "body")
    with pytest.raises(ValueError, match="grain"):
        artel.parallel_for(0, 3, print, grain=0)


def test_executor():
    with artel.Executor() as threads:
        assert list(threads.map(abs, range(-50, 50))) == [abs(i) for i in range(-50, 50)]


def test_missing_libraries_are_named(run):
    done = run("-m", "artel", "-c", "pass", check=False, ARTEL_PYTHON_LIBRARIES="/nowhere")
    assert done.returncode == 1
    assert "libgomp-artel.so.1 is missing; looked in /nowhere/artel" in done.stderr


def test_children_of_a_fork_go_on(run):
    done = run(
        "-m",
        "artel",
        "-c",
        """
import artel, os
print(artel.map(abs, range(3)), flush=True)
child = os.fork()
if child == 0:
    os._exit(0 if artel.map(abs, [-1, -2, -3]) == [1, 2, 3] else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""",
    )
    assert done.stdout == "[0, 1, 2]\n0\n"
