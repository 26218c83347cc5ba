"""numpy's and scipy's OpenBLAS under Artel."""

import pytest

pytest.importorskip("numpy")

COMMON = """
import sys, threading
import artel
import numpy as np
if not artel.patch().openblas:
    print("no OpenBLAS of its own"); sys.exit()
random = np.random.default_rng(1)
"""


def last_line(done):
    line = done.stdout.splitlines()[-1]
    if line == "no OpenBLAS of its own":
        pytest.skip("numpy here uses another BLAS")
    return line


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


def test_limits_of_a_thread(run):
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON + """
import ctypes
number = ctypes.c_int.in_dll(ctypes.CDLL(artel.stats()["blas"][0]["file"]), "blas_cpu_number")
a = random.normal(size=(1200, 1200))
seen = []
def look():
    while not done:
        if artel.stats()["blas_calls"]:
            seen.append(number.value)  # may be that of a moment between two calls
done = []
other = threading.Thread(target=look)
with artel.limits(1):
    a @ a
    other.start()
    for _ in range(5):
        a @ a
done.append(1)
other.join()
print(seen.count(1) > len(seen) / 2)
""",
        ARTEL_NUM_THREADS="2",
        OPENBLAS_NUM_THREADS="2",
    )
    assert last_line(done) == "True"


@pytest.mark.parametrize("threads", [1, 2, 4, 8])
def test_results_are_those_of_one_thread(run, threads):
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON + f"""
import time
from concurrent.futures import ThreadPoolExecutor
cases = []
for n in (3, 17, 64, 100, 150, 257):
    for kind in (np.float64, np.float32, np.complex128):
        a = random.normal(size=(n, n)).astype(kind)
        s = (a @ a.conj().T + n * np.eye(n)).astype(kind)
        cases += [lambda a=a: a @ a, lambda a=a: a @ a.T, lambda a=a: a @ a[0], lambda s=s: np.linalg.inv(s), lambda s=s: np.linalg.cholesky(s),
                  lambda s=s: np.linalg.eigvalsh(s), lambda a=a: np.linalg.svd(a, compute_uv=False), lambda s=s: np.linalg.solve(s, s[0]),
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


def test_threadpoolctl_sees_and_sets_limits(run):
    pytest.importorskip("threadpoolctl")
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON + """
import threadpoolctl, artel.threadpoolctl
def blas():
    return [i["num_threads"] for i in threadpoolctl.threadpool_info() if i["internal_api"] == "openblas"]
def crew():
    return [i["num_threads"] for i in threadpoolctl.threadpool_info() if i["internal_api"] == "artel"]
a, before = random.normal(size=(300, 300)), (blas(), crew())
with threadpoolctl.threadpool_limits(1):
    inside = (blas(), crew(), [i["limit"] for i in artel.stats()["blas"]])
    a @ a
print(before[1], inside, (blas(), crew()) == before)
""",
        ARTEL_NUM_THREADS="3",
        OPENBLAS_NUM_THREADS="2",
    )
    assert last_line(done) == "[3] ([1], [1], [1]) True"


def test_joblib_backend(run):
    pytest.importorskip("joblib")
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON + """
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
        COMMON + """
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


def test_doctor_says_who_serves_what(run):
    done = run("-m", "artel", "doctor", "numpy")
    if "OpenBLAS" in done.stdout:
        assert "threads of its own, told by Artel how many to use" in done.stdout
    done = run("-m", "artel", "doctor", "no_such_module", check=False)
    assert done.returncode == 1
    assert "no_such_module: cannot be imported" in done.stdout
