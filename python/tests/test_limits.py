"""artel.limits: threads of regions and loops, and the NUMA nodes that they keep to."""

import ctypes
import os
import queue
import threading

import artel
import pytest
from artel import _limits, _nodes, _threads


@pytest.mark.parametrize("threads", [0, -1, 1.5, "2", None, True])
def test_limits_refuse_nonsense(threads):
    with pytest.raises(ValueError, match="expected a whole number from 1 on"), artel.limits(
        threads
    ):
        pass


def test_limits_hold_for_regions_and_end():
    before = artel.stats()["openmp_threads"]
    with artel.limits(threads=1):
        assert artel.stats()["openmp_threads"] == 1
        with artel.limits(threads=8):
            assert artel.stats()["openmp_threads"] == 1
        seen = []
        other = threading.Thread(target=lambda: seen.append(artel.stats()["openmp_threads"]))
        other.start()
        other.join()
        assert seen == [before]
    assert artel.stats()["openmp_threads"] == before


def test_limits_end_after_an_exception():
    before = artel.stats()["openmp_threads"]
    with pytest.raises(KeyError), artel.limits(1):
        raise KeyError
    assert artel.stats()["openmp_threads"] == before


def test_limits_hold_for_python_threads():
    wide = _limits.width()
    with artel.limits(1):
        assert {t for t in artel.map(lambda _: threading.get_ident(), range(100), chunk=1)} == {
            threading.get_ident()
        }
    with artel.limits(2):
        regions = artel.map(lambda _: artel.stats()["openmp_threads"], range(10), chunk=1)
        assert max(regions) == (1 if wide > 1 else 2) or wide == 1
        assert artel.Executor()._max_workers == min(2, wide)
    assert _limits.width() == wide


BUFFER = ctypes.create_string_buffer(64)


def buffer_address():
    return ctypes.addressof(BUFFER)


class Number:
    """As numpy's, which are no ints."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def test_numbers_need_be_no_ints():
    with artel.limits(Number(1), numas=[Number(min(_nodes.nodes()))]):
        assert artel.stats()["openmp_threads"] == 1
        artel.parallel_for(0, 1, ctypes.CDLL(None).memset, context=buffer_address())
    assert artel.map(abs, [-1, 2], chunk=Number(1)) == [1, 2]
    artel.parallel_for(0, 4, lambda b, e: None, grain=Number(2))


def test_limits_are_whole_numbers_of_any_size():
    before = artel.stats()["openmp_threads"]
    with artel.limits(1 << 40):
        assert artel.stats()["openmp_threads"] == before


@pytest.mark.parametrize("numas", [[], 0, "0", [-1], [4711], [None], [True], [1.5]], ids=repr)
def test_numas_refuse_nonsense(numas):
    with pytest.raises(ValueError, match="numas: "), artel.limits(numas=numas):
        pass


def test_nodes_are_read(tmp_path):
    mine = sorted(os.sched_getaffinity(0))
    for node, cpus in ((0, f"{mine[0]}"), (1, "4000-4003,4010"), (10, ",".join(map(str, mine)))):
        (tmp_path / f"node{node}").mkdir()
        (tmp_path / f"node{node}" / "cpulist").write_text(cpus + "\n", encoding="ascii")
    (tmp_path / "node11").mkdir()
    (tmp_path / "node11" / "cpulist").write_text("\n", encoding="ascii")  # memory alone
    assert _nodes.nodes(str(tmp_path)) == {0: {mine[0]}, 10: set(mine)}
    assert _nodes.nodes(str(tmp_path / "none")) == {0: set(mine)}


def test_numas_keep_threads_and_loops_there(monkeypatch):
    mine = os.sched_getaffinity(0)
    first = min(mine)
    monkeypatch.setattr(_nodes, "nodes", lambda: {0: {first}, 7: os.sched_getaffinity(0)})
    width, regions = _limits.width(), artel.stats()["openmp_threads"]
    with artel.limits(numas=[0]):
        assert os.sched_getaffinity(0) == {first}
        assert (_limits.width(), artel.stats()["openmp_threads"]) == (1, 1)
        with artel.limits(threads=4, numas=[0, 7]):
            assert os.sched_getaffinity(0) == {first}
            assert _limits.width() == 1
            artel.parallel_for(0, 2, ctypes.CDLL(None).memset, context=buffer_address())
        with pytest.raises(ValueError, match="no NUMA node 1 "), artel.limits(numas=[1]):
            pass
    assert os.sched_getaffinity(0) == mine
    assert (_limits.width(), artel.stats()["openmp_threads"]) == (width, regions)
    masks = artel.map(lambda _: frozenset(os.sched_getaffinity(0)), range(50), chunk=1)
    assert set(masks) == {frozenset(mine)}


def test_helpers_keep_to_no_nodes(monkeypatch):
    """Those that are started when a block is over in which other threads began blocks, too."""
    mine = os.sched_getaffinity(0)
    monkeypatch.setattr(_nodes, "nodes", lambda: {0: {min(mine)}})

    def begin_block():
        with artel.limits(numas=[0]):
            pass

    with artel.limits(numas=[0]):
        with artel.Executor(2) as threads:
            threads.submit(begin_block).result()
        other = threading.Thread(target=begin_block)
        other.start()
        other.join()
    assert mask_of_a_helper() == mine


def mask_of_a_helper():
    """Of one that is started now."""
    masks = queue.SimpleQueue()
    helpers = _threads.Threads(lambda: 1, "helper")
    helpers.submit(lambda: masks.put(os.sched_getaffinity(0)))
    return masks.get(timeout=60)


def test_helpers_keep_to_what_the_process_keeps_to_after_blocks():
    mine = os.sched_getaffinity(0)
    with artel.limits(numas=[min(_nodes.nodes())]):
        pass
    os.sched_setaffinity(0, {min(mine)})
    try:
        assert mask_of_a_helper() == {min(mine)}
    finally:
        os.sched_setaffinity(0, mine)


def test_helpers_started_by_threads_that_keep_to_nodes_for_good(monkeypatch):
    mine = os.sched_getaffinity(0)
    monkeypatch.setattr(_nodes, "nodes", lambda: {0: {min(mine)}})
    with artel.limits(numas=[0]):
        threads = artel.Executor(1)
        threads.submit(int).result()
    assert threads.submit(os.sched_getaffinity, 0).result() == {min(mine)}
    assert threads.submit(mask_of_a_helper).result() == mine


def test_helpers_keep_to_no_nodes_in_the_child_of_a_fork(run):
    done = run(
        "-c",
        """
import artel, os, queue
from artel import _nodes, _threads
mine = os.sched_getaffinity(0)
_nodes.nodes = lambda: {0: {min(mine)}}
with artel.limits(numas=[0]):
    child = os.fork()
    if child == 0:
        masks = queue.SimpleQueue()
        _threads.Threads(lambda: 1, "helper").submit(lambda: masks.put(os.sched_getaffinity(0)))
        os._exit(0 if masks.get(timeout=60) == mine else 1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
""",
    )
    assert done.stdout == "0\n"


def test_threads_of_an_executor_keep_to_the_limit_where_it_was_made():
    wide = artel.stats()["openmp_threads"]
    with artel.limits(2), artel.Executor(2, initializer=lambda: None) as threads:
        assert threads.submit(lambda: artel.stats()["openmp_threads"]).result() == 1
    with artel.Executor(2) as threads:
        assert threads.submit(lambda: artel.stats()["openmp_threads"]).result() == wide


def test_executors_have_no_more_threads_than_the_limit_where_they_were_made():
    with artel.limits(2):
        assert artel.Executor(6)._max_workers == 2
        assert artel.Executor(1)._max_workers == 1
        with pytest.raises(ValueError, match="max_workers"):
            artel.Executor(0)


def test_threads_of_an_executor_may_start_in_a_block_of_other_nodes(monkeypatch):
    mine = os.sched_getaffinity(0)
    all_nodes = {0: {min(mine)}, 1: {max(mine)}}

    def nodes():  # as the calling thread may use them
        here = os.sched_getaffinity(0)
        return {node: cpus for node, cpus in all_nodes.items() if cpus & here}

    monkeypatch.setattr(_nodes, "nodes", nodes)
    with artel.limits(numas=[0]):
        threads = artel.Executor()
    with artel.limits(numas=[1]):
        assert threads.submit(os.sched_getaffinity, 0).result() == {min(mine)}


def test_nodes_of_limits_that_overlap(monkeypatch):
    mine = os.sched_getaffinity(0)
    first, last = min(mine), max(mine)
    monkeypatch.setattr(_nodes, "nodes", lambda: {0: {first}, 1: {last}})
    a, b = artel.limits(numas=[0]), artel.limits(numas=[1])
    a.__enter__()
    b.__enter__()
    a.__exit__(None, None, None)
    assert (os.sched_getaffinity(0), _limits.numas()) == ({last}, (1,))
    b.__exit__(None, None, None)
    assert (os.sched_getaffinity(0), _limits.numas()) == (mine, ())
