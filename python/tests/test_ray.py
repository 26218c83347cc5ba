"""Workers of ray: they have Artel from the process that starts them."""

import pytest

pytest.importorskip("ray")

PROGRAM = """
import artel
artel.patch()
import ray
def facts(seed):
    from artel import _native
    import os
    import numpy as np
    a = np.random.default_rng(seed).normal(size=(200, 200))
    right = bool(np.allclose(np.linalg.inv(a) @ a, np.eye(200)))
    return os.getpid(), _native.at_start() is not None, right, artel.stats()["threads"]
ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
found = ray.get([ray.remote(facts).remote(seed) for seed in range(4)])
right = [fact[1:] for fact in found] == [(True, True, 2)] * 4
print(right, os.getpid() in [fact[0] for fact in found])
ray.shutdown()
"""


def test_workers(run):
    pytest.importorskip("numpy")
    done = run("-c", "import os\n" + PROGRAM, ARTEL_NUM_THREADS="2", RAY_USAGE_STATS_ENABLED="0")
    assert done.stdout.splitlines()[-1] == "True False"
