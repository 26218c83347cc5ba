"""Cases of pypi_cases.py that are learning and search: scikit-learn, LightGBM, XGBoost, faiss. What
forked processes run, too, is a function that returns its results (..._model, ..._search)."""

import numpy as np

from pypi_data import THREADS, digest, table


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
