"""What pypi_test.py runs under each runtime: `pypi_cases.py CASE` prints what the case computed, to
be compared between runtimes, then on stderr the seconds its work took and the CPU seconds that it
used while asleep for a second afterwards. `pypi_cases.py CASE TIMES`, for bench/programs: once to
import and compile what is needed, then TIMES again; on stderr the seconds of each of the latter.

Data are random with fixed seeds; whatever a library computes in an order that depends on its
threads is rounded before it is printed."""

import functools
import hashlib
import multiprocessing
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

# the tests ask for 4 on any machine: as many on one CPU must work too
THREADS = int(os.environ.get("OMP_NUM_THREADS", "4"))


def digest(*arrays):
    text = hashlib.sha256()
    for array in arrays:
        text.update(np.ascontiguousarray(array).tobytes())
    return text.hexdigest()[:16]


def table(rows, columns, seed=1):
    random = np.random.default_rng(seed)
    x = random.normal(size=(rows, columns))
    return x, (x[:, 0] * x[:, 1] + x[:, 2] > 0.3).astype(int)


def neighbours(algorithm):
    """120 batches asked for by joblib's threads, each of which has a team inside when the search is
    by brute force."""
    from joblib import Parallel, delayed
    from sklearn.neighbors import NearestNeighbors

    x, _ = table(3000, 12)
    search = NearestNeighbors(n_neighbors=5, algorithm=algorithm, n_jobs=THREADS).fit(x)
    batches = np.array_split(x, 120)
    found = Parallel(n_jobs=THREADS, backend="threading")(
        delayed(search.kneighbors)(batch) for batch in batches
    )
    nearest = np.concatenate([indices for _, indices in found])
    print("own nearest:", int((nearest[:, 0] == np.arange(len(x))).sum()), "of", len(x))
    print(digest(nearest), digest(np.concatenate([distances for distances, _ in found]).round(9)))


def neighbours_brute():
    neighbours("brute")


def neighbours_kd_tree():
    neighbours("kd_tree")


def histogram_boosting():
    from sklearn.ensemble import HistGradientBoostingClassifier

    x, y = table(20000, 20)
    model = HistGradientBoostingClassifier(max_iter=40, random_state=0).fit(x, y)
    print(digest(model.predict_proba(x[:2000]).round(6)), round(model.score(x, y), 4))


def kmeans():
    from sklearn.cluster import KMeans

    x, _ = table(20000, 8)
    model = KMeans(n_clusters=12, n_init=2, random_state=0, max_iter=40).fit(x)
    print(round(float(model.inertia_), 3), digest(model.cluster_centers_.round(6)))


def lightgbm_model():
    import lightgbm

    x, y = table(20000, 20)
    parameters = {
        "objective": "binary",
        "num_threads": THREADS,
        "deterministic": True,
        "force_row_wise": True,
        "verbose": -1,
        "seed": 1,
    }
    return lightgbm.train(parameters, lightgbm.Dataset(x, y), 40).predict(
        x[:2000], num_threads=THREADS
    )


def lightgbm():
    print(digest(lightgbm_model().round(7)))


def xgboost_model():
    import xgboost

    x, y = table(20000, 20)
    parameters = {
        "objective": "binary:logistic",
        "nthread": THREADS,
        "tree_method": "hist",
        "max_depth": 6,
        "seed": 1,
    }
    return xgboost.train(parameters, xgboost.DMatrix(x, y, nthread=THREADS), 40).predict(
        xgboost.DMatrix(x[:2000])
    )


def xgboost():
    print(digest(xgboost_model().round(4)))


def faiss_search():
    import faiss

    faiss.omp_set_num_threads(THREADS)
    x = np.random.default_rng(3).random((20000, 32), dtype=np.float32)
    flat = faiss.IndexFlatL2(32)
    flat.add(x)
    coarse = faiss.IndexIVFFlat(faiss.IndexFlatL2(32), 32, 64)
    coarse.train(x)
    coarse.add(x)
    coarse.nprobe = 4
    return flat.search(x[:500], 5)[1], coarse.search(x[:2000], 5)[1]


def faiss():
    exact, approximate = faiss_search()
    print(digest(exact), int((approximate[:, 0] == np.arange(2000)).sum()))


def faiss_hnsw():
    import faiss

    faiss.omp_set_num_threads(THREADS)
    x = np.random.default_rng(3).random((4000, 16), dtype=np.float32)
    graph = faiss.IndexHNSWFlat(16, 16)
    # A lock for each point. The graph depends on the order of the threads, what is found in it
    # hardly does.
    graph.add(x)
    print((graph.search(x, 1)[1][:, 0] == np.arange(4000)).mean() > 0.98)


def weighed(*arrays):
    """A number for each array that any wrong element changes, and the order of additions does
    not."""
    return [
        round(float((array * np.random.default_rng(array.size).random(array.shape)).sum()), 4)
        for array in arrays
    ]


def product(n, seed):
    x = np.random.default_rng(seed).normal(size=(n, n))
    return weighed(x @ x)


def blas_threads():
    """Eight Python threads, a product in each."""
    with ThreadPoolExecutor(8) as threads:
        print(list(threads.map(lambda seed: [product(384, seed) for _ in range(10)], range(8))))


def lapack(seed):
    from scipy import linalg

    x = np.random.default_rng(seed).normal(size=(300, 300))
    return weighed(
        np.linalg.eigvalsh(x + x.T),
        np.linalg.solve(x, x[:5].T),
        np.abs(np.diag(linalg.qr(x)[1])),
        np.linalg.svd(x, compute_uv=False),
    )


def lapack_threads():
    """joblib's threads, twice as many as CPUs, factorizations in each."""
    from joblib import Parallel, delayed

    print(Parallel(n_jobs=4, backend="threading")(delayed(lapack)(seed) for seed in range(16)))


def blas_alone():
    """One thread, whose calls have all CPUs."""
    x = np.random.default_rng(1).normal(size=(1000, 1000))
    print(product(1500, 1), weighed(np.linalg.eigvalsh(x + x.T)))


@functools.cache
def numba_sums():
    import numba

    numba.config.THREADING_LAYER = "omp"
    numba.set_num_threads(min(THREADS, numba.config.NUMBA_NUM_THREADS))

    @numba.njit(parallel=True)
    def sums(x):
        out = np.empty(x.shape[0])
        for i in numba.prange(x.shape[0]):
            total = 0.0
            for j in range(x.shape[1]):
                total += x[i, j] * x[i, j]
            out[i] = total
        return out

    return sums


def numba_omp():
    import numba

    x, _ = table(4000, 200)
    results = [numba_sums()(x) for _ in range(50)]
    print(numba.threading_layer(), digest(*results))


def torch_training():
    """Of Debian, not of PyPI: a small network, trained on all data at once."""
    import torch

    torch.set_num_threads(THREADS)
    torch.manual_seed(1)
    x, y = (torch.from_numpy(array).float() for array in table(8000, 64))
    network = torch.nn.Sequential(
        torch.nn.Linear(64, 128),
        torch.nn.Tanh(),
        torch.nn.Linear(128, 32),
        torch.nn.ReLU(),
        torch.nn.Linear(32, 1),
    )
    steps = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(20):
        steps.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(network(x)[:, 0], y)
        loss.backward()
        steps.step()
    print(torch.get_num_threads(), round(float(loss), 4))


def torch_elementwise():
    """Many short regions, one for each operation."""
    import torch

    torch.set_num_threads(THREADS)
    x = torch.from_numpy(table(1000, 100)[0]).float()
    for _ in range(100):
        x = torch.softmax(torch.exp(-x * x) + torch.sin(x), dim=1) * 10 - x.mean(dim=0)
    print(torch.get_num_threads(), digest(x.double().numpy().round(3)), round(float(x.sum()), 2))


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


if __name__ == "__main__":
    case = globals()[sys.argv[1]]
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
