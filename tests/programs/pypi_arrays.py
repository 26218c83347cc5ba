"""Cases of pypi_cases.py that calculate with arrays: NumPy, SciPy, Numba, PyTorch."""

import functools
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from pypi_data import THREADS, digest, table, weighed


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
