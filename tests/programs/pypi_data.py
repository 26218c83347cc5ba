"""What the cases of pypi_cases.py share: how many threads, data by fixed seeds, and digests of
results."""

import hashlib
import os

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


def weighed(*arrays):
    """A number for each array that any wrong element changes, and the order of additions does
    not."""
    return [
        round(float((array * np.random.default_rng(array.size).random(array.shape)).sum()), 4)
        for array in arrays
    ]
