"""How many threads numpy's OpenBLAS gets under Artel, by artel.limits and by threadpoolctl."""

import pytest
from blas_program import COMMON, last_line

pytest.importorskip("numpy")


def test_limits_of_a_thread(run):
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON
        + """
a = random.normal(size=(1200, 1200))
seen = []
def look():
    while not done:
        now = artel.stats()
        if now["blas_calls"]:
            seen.append(now["blas"][0]["threads"])  # may be that of a moment between two calls
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


def test_threadpoolctl_sees_and_sets_limits(run):
    pytest.importorskip("threadpoolctl")
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON
        + """
import threadpoolctl, artel.threadpoolctl
def of(api):
    info = threadpoolctl.threadpool_info()
    return [i["num_threads"] for i in info if i["internal_api"] == api]
def blas():
    return of("openblas")
def crew():
    return of("artel")
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


def test_nested_limits_and_what_threadpoolctl_counts(run):
    pytest.importorskip("threadpoolctl")
    done = run(
        "-m",
        "artel",
        "-c",
        COMMON
        + """
import threadpoolctl, artel.threadpoolctl
def libraries():
    return [i for i in threadpoolctl.threadpool_info() if i["internal_api"] == "openblas"]
def limits():
    return [i["num_threads"] for i in libraries()]
a, seen = random.normal(size=(300, 300)), [limits()]
with artel.limits(2):
    a @ a
    with artel.limits(1):
        a @ a
        seen.append(limits())
        with threadpoolctl.threadpool_limits(1, user_api="blas"):
            seen.append(limits())
            with artel.limits(3):
                a @ a
    a @ a
seen.append(limits())
files, told = [i["filepath"] for i in libraries()], artel.stats()
print(seen, len(files) == len(told["blas"]) == len(set(files)), told["blas_calls"])
""",
        ARTEL_NUM_THREADS="4",
        OPENBLAS_NUM_THREADS="2",
    )
    assert last_line(done) == "[[2], [2], [1], [2]] True 0"
