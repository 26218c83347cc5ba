"""What pypi_test.py runs under each runtime: `pypi_cases.py CASE` prints what the case computed, to
be compared between runtimes, then on stderr the seconds its work took and the CPU seconds that it
used while asleep for a second afterwards. `pypi_cases.py CASE TIMES`, for bench/programs: once to
import and compile what is needed, then TIMES again; on stderr the seconds of each of the latter.

Data are random with fixed seeds; whatever a library computes in an order that depends on its
threads is rounded before it is printed."""

import multiprocessing
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pypi_arrays
import pypi_learning
from pypi_data import THREADS, digest, table
from pypi_learning import (
    faiss,
    faiss_search,
    histogram_boosting,
    lightgbm,
    lightgbm_model,
    xgboost,
    xgboost_model,
)


def libraries_together():
    """Several libraries, each with its own copy of libgomp in its wheel, from several threads at
    once."""
    jobs = [lightgbm, xgboost, faiss, histogram_boosting]
    with ThreadPoolExecutor(len(jobs)) as threads:
        kept = list(threads.map(lambda job: job.__name__ if quietly(job) else None, jobs * 2))
    print(kept)


def quietly(job):
    if job is lightgbm:
        lightgbm_model()
    elif job is xgboost:
        xgboost_model()
    elif job is faiss:
        faiss_search()
    else:
        from sklearn.ensemble import HistGradientBoostingClassifier

        x, y = table(5000, 20)
        HistGradientBoostingClassifier(max_iter=10, random_state=0).fit(x, y)
    return True


def nested_joblib():
    """joblib's threads around regions, twice as many as the regions have members."""
    from joblib import Parallel, delayed
    from sklearn.cluster import KMeans
    from sklearn.ensemble import HistGradientBoostingRegressor

    def one(seed):
        x, _ = table(3000, 6, seed)
        clusters = KMeans(n_clusters=5, n_init=1, random_state=seed).fit(x)
        trees = HistGradientBoostingRegressor(max_iter=10, random_state=seed).fit(x[:, 1:], x[:, 0])
        return round(float(clusters.inertia_), 4), digest(trees.predict(x[:, 1:]).round(6))

    print(
        Parallel(n_jobs=2 * THREADS, backend="threading")(delayed(one)(seed) for seed in range(16))
    )


def forked(model):
    """The child of a process that has trained trains too, and agrees with it."""
    here = model().round(4)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [
        context.Process(target=lambda: queue.put(digest(model().round(4)))) for _ in range(3)
    ]
    for child in children:
        child.start()
    answers = [queue.get() for _ in children]
    for child in children:
        child.join()
    print([answer == digest(here) for answer in answers], digest(model().round(4)) == digest(here))


def forked_lightgbm():
    forked(lightgbm_model)


def forked_xgboost():
    forked(xgboost_model)


def forked_faiss():
    forked(lambda: faiss_search()[0].astype(float))


def forked_scikit():
    from sklearn.ensemble import HistGradientBoostingClassifier

    x, y = table(5000, 20)
    forked(
        lambda: HistGradientBoostingClassifier(max_iter=10, random_state=0)
        .fit(x, y)
        .predict_proba(x[:500])
    )


def threadpoolctl():
    """Which OpenMP libraries threadpoolctl finds and whether it can set their threads; ours to be
    found, so not compared."""
    import threadpoolctl as pools
    import sklearn.cluster  # noqa: F401 (loads the wheel's libgomp)

    def threads():
        return {
            (pool["prefix"], pool["num_threads"])
            for pool in pools.threadpool_info()
            if pool["user_api"] == "openmp"
        }

    with pools.threadpool_limits(3, user_api="openmp"):
        print(sorted(threads()))
    print(len(threads()) > 0)


def seconds_of(case):
    begin = time.perf_counter()
    case()
    return time.perf_counter() - begin


def case_named(name):
    """The function of that name, here or in one of the modules of cases."""
    for where in (sys.modules[__name__], pypi_learning, pypi_arrays):
        if hasattr(where, name):
            return getattr(where, name)
    sys.exit(f"pypi_cases.py: there is no case {name}")


if __name__ == "__main__":
    case = case_named(sys.argv[1])
    took = seconds_of(case)
    sys.stdout.flush()
    if len(sys.argv) > 2:
        print(
            "took", *(f"{seconds_of(case):.4f}" for _ in range(int(sys.argv[2]))), file=sys.stderr
        )
        sys.exit()
    time.sleep(0.3)  # what spins a while before it sleeps may do so
    used = time.process_time()
    time.sleep(1)
    print(f"took {took:.3f} idle {time.process_time() - used:.3f}", file=sys.stderr)
