"""numpy's and scipy's OpenBLAS under Artel."""

import pytest
from blas_program import COMMON, last_line

pytest.importorskip("numpy")


def test_the_library_is_found_when_numpy_is_imported(run):
    assert (
        last_line(
            run(
                "-m",
                "artel",
                "-c",
                COMMON + "print('openblas' in artel.stats()['blas'][0]['file'])",
            )
        )
        == "True"
    )


def test_the_library_is_found_when_numpy_came_before(run):
    assert (
        last_line(
            run(
                "-c",
                "import numpy\n" + COMMON + "print('openblas' in artel.stats()['blas'][0]['file'])",
            )
        )
        == "True"
    )


def test_off(run):
    assert (
        run("-m", "artel", "-c", COMMON + "print('found')", ARTEL_BLAS="false").stdout
        == "no OpenBLAS of its own\n"
    )


@pytest.mark.parametrize("threads", [1, 2, 4, 8])
def test_results_are_those_of_one_thread(run, threads):
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON
        + f"""
import time
from concurrent.futures import ThreadPoolExecutor
cases = []
for n in (3, 17, 64, 100, 150, 257):
    for kind in (np.float64, np.float32, np.complex128):
        a = random.normal(size=(n, n)).astype(kind)
        s = (a @ a.conj().T + n * np.eye(n)).astype(kind)
        cases += [lambda a=a: a @ a, lambda a=a: a @ a.T, lambda a=a: a @ a[0],
                  lambda s=s: np.linalg.inv(s), lambda s=s: np.linalg.cholesky(s),
                  lambda s=s: np.linalg.eigvalsh(s), lambda s=s: np.linalg.solve(s, s[0]),
                  lambda a=a: np.linalg.svd(a, compute_uv=False),
                  lambda a=a: np.abs(np.linalg.qr(a)[1])]
with artel.limits(1):
    right = [case() for case in cases]
end = time.monotonic() + 3
def work(seed):
    mine, wrong, calls = np.random.default_rng(seed), 0, 0
    while time.monotonic() < end or calls < 20:
        i = int(mine.integers(len(cases)))
        error = np.abs(cases[i]() - right[i]).max() / np.abs(right[i]).max()
        wrong += not error < (2e-3 if right[i].dtype.itemsize == 4 else 1e-8)
        calls += 1
    return wrong
with ThreadPoolExecutor({threads}) as pool:
    print(sum(pool.map(work, range({threads}))))
""",
        OPENBLAS_NUM_THREADS="2",
    )
    assert last_line(done) == "0"


def test_joblib_backend(run):
    pytest.importorskip("joblib")
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON
        + """
import joblib, artel.joblib
a = [random.normal(size=(100, 100)) for _ in range(6)]
with joblib.parallel_config(backend="artel"):
    found = joblib.Parallel()(joblib.delayed(np.linalg.det)(each) for each in a)
print(np.allclose(found, [np.linalg.det(each) for each in a]))
""",
    )
    assert last_line(done) == "True"


def test_children_of_a_fork(run):
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON
        + """
import multiprocessing
a = random.normal(size=(300, 300))
right = a @ a
def child(queue):
    queue.put(np.allclose(a @ a, right))
context = multiprocessing.get_context("fork")
queue = context.Queue()
children = [context.Process(target=child, args=(queue,)) for _ in range(3)]
[c.start() for c in children]
print([queue.get(timeout=60) for c in children])
[c.join() for c in children]
""",
        OPENBLAS_NUM_THREADS="2",
    )
    assert last_line(done) == "[True, True, True]"


def test_forks_beside_calls_of_other_threads(run):
    """OpenBLAS ends its threads before a fork; who waits for them would wait for ever."""
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON
        + """
import os, time
a = random.normal(size=(200, 200))
a = a @ a.T + 200 * np.eye(200)
right, stop, seen = np.linalg.inv(a), [], []
def work():
    while not stop:
        seen.append(np.allclose(np.linalg.inv(a), right))
threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
[t.start() for t in threads]
codes = []
for _ in range(5):
    child = os.fork()
    if child == 0:
        os._exit(0 if np.allclose(np.linalg.inv(a), right) else 1)
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
stop.append(1)
[t.join(100) for t in threads]
print(codes, all(seen), [t.is_alive() for t in threads])
""",
        OPENBLAS_NUM_THREADS="2",
    )
    assert last_line(done) == "[0, 0, 0, 0, 0] True [False, False, False]"


def test_artel_run_leaves_it_alone_without_an_option(run):
    program = """
import numpy as np, threading, os
a = np.random.default_rng(1).normal(size=(200, 200))
right, wrong = a @ a, []
def work():
    for _ in range(5):
        wrong.append(not np.allclose(a @ a, right))
threads = [threading.Thread(target=work) for _ in range(4)]
[t.start() for t in threads]; [t.join() for t in threads]
child = os.fork()
if child == 0:
    os._exit(0 if np.allclose(a @ a, right) else 1)
print(sum(wrong), os.waitpid(child, 0)[1], "libartel-openblas" in open("/proc/self/maps").read())
"""
    done = run(
        "-c",
        f"program = {program!r}"
        + """
import subprocess, sys
from artel import _command
words = [_command.tool(), "run", "--", sys.executable, "-c", program]
print(subprocess.run(words, capture_output=True, text=True).stdout)
""",
    )
    assert done.stdout.split() == ["0", "0", "False"]


@pytest.mark.parametrize(
    "program",
    [
        "import numpy as np; a = np.ones((256, 256)); print(1, flush=True)\nwhile True: a @ a",
        "print(1, flush=True); artel.parallel_for(0, 10**9, lambda b, e: [i for i in range(b, e)])",
        "import ctypes; print(1, flush=True)\nartel.parallel_for(0, 10**5, "
        "ctypes.cast(ctypes.CDLL(None).usleep, ctypes.c_void_p).value, context=100_000)",
    ],
    ids=["calls", "python region", "region"],
)
def test_an_interrupt_ends_the_program(run, program):
    """In the middle of many calls, or of a long region. How soon is told with a failure, not
    judged: the machine may be busy."""
    done = run(
        "-c",
        f"program = {'import artel; artel.patch(); ' + program!r}"
        + """
import signal, subprocess, sys, time
child = subprocess.Popen([sys.executable, "-c", program], text=True,
    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
child.stdout.readline()
time.sleep(0.5)
begin = time.monotonic()
child.send_signal(signal.SIGINT)
try:
    errors = child.communicate(timeout=60)[1]
    print(f"ended after {time.monotonic() - begin:.2f} s", file=sys.stderr)
    print("KeyboardInterrupt" in errors)
except subprocess.TimeoutExpired:
    child.kill()
    print("hangs")
""",
    )
    print(done.stderr)
    assert last_line(done) == "True", done.stderr


def test_doctor_says_who_serves_what(run):
    done = run("-m", "artel", "doctor", "numpy")
    if "OpenBLAS" in done.stdout:
        assert "threads of its own, told by Artel how many to use" in done.stdout
    done = run("-m", "artel", "doctor", "no_such_module", check=False)
    assert done.returncode == 1
    assert "no_such_module: cannot be imported" in done.stdout
