"""Dask's scheduler for threads, and workers in processes of their own."""

import threading

import artel
import pytest

dask = pytest.importorskip("dask")
import artel.dask  # noqa: E402


@pytest.fixture(autouse=True)
def scheduler():
    with dask.config.set(scheduler=artel.dask.get):
        yield


def total(depth):
    """A graph that makes graphs: tasks that wait for others in threads of the same pool."""
    if depth == 0:
        return 1
    return sum(dask.compute(*[dask.delayed(total)(depth - 1) for _ in range(3)]))


def test_results_of_nested_graphs():
    assert dask.compute(*[dask.delayed(total)(3) for _ in range(8)]) == (27,) * 8


def test_as_many_threads_as_the_crew_or_the_limit():
    meeting = threading.Barrier(2)
    with dask.config.set(num_workers=2):
        calls = [dask.delayed(lambda _: meeting.wait(60) >= 0)(i) for i in range(2)]
        assert dask.compute(*calls) == (True, True)
    with artel.limits(1):
        names = dask.compute(*[dask.delayed(lambda _: threading.get_ident())(i) for i in range(50)])
        assert len(set(names)) == 1


def test_exceptions_are_the_tasks_own():
    with pytest.raises(KeyError, match="mine"):
        dask.delayed({}.__getitem__)("mine").compute()


CLUSTER = """
import os, sys
def facts():
    import artel, numpy
    from artel import _native
    a = numpy.random.default_rng(1).normal(size=(200, 200))
    s = artel.stats()
    return (os.getpid(), _native.at_start() is not None, s["openmp_threads"],
            [b["limit"] for b in s["blas"]],
            os.environ.get("OMP_NUM_THREADS"),
            bool(numpy.allclose(numpy.linalg.inv(a) @ a, numpy.eye(200))))
def main():
    from distributed import Client, LocalCluster
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None,
                      processes=True, WORDS) as cluster:
        with Client(cluster) as client:
            found = client.run(facts)
            processes = {fact[0] for fact in found.values()}
            print(sorted(fact[1:] for fact in found.values()), len(processes))
            print(sum(client.gather(client.map(lambda x: x * x, range(100)))))
if __name__ == "__main__":
    main()
"""
BOTH = "preload=['artel.dask'], preload_nanny=['artel.dask']"


@pytest.mark.parametrize(
    ("words", "preloaded", "threads"),
    [(BOTH, True, None), ("preload=['artel.dask']", False, None), (BOTH, True, "3")],
    ids=["nanny", "worker", "the user's own number"],
)
def test_workers(run, tmp_path, words, preloaded, threads):
    pytest.importorskip("distributed")
    pytest.importorskip("numpy")
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER.replace("WORDS", words), encoding="utf-8")
    variables = {"ARTEL_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}
    told = "None"
    if threads is not None:
        variables["DASK_DISTRIBUTED__NANNY__PRE_SPAWN_ENVIRON"] = "{}"
        variables["OMP_NUM_THREADS"] = threads
        told = repr(threads)
    lines = run(str(script), **variables).stdout.splitlines()
    fact = f"({preloaded}, {threads or 2}, [2], {told}, True)"
    if "[]" in lines[0]:
        fact = fact.replace("[2]", "[]")  # numpy here uses another BLAS
    assert lines == [f"[{fact}, {fact}] 2", "328350"]
