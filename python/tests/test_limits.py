"""artel.limits: threads of regions and loops, and the NUMA nodes that they keep to."""

import asyncio
import contextlib
import contextvars
import ctypes
import inspect
import itertools
import os
import queue
import random
import sys
import threading

import artel
import pytest
from artel import _blocks, _limits, _nodes, _threads


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
    masks = queue.SimpleQueue()
    helpers = _threads.Threads(lambda: 1, "helper")
    helpers.submit(lambda: masks.put(os.sched_getaffinity(0)))
    assert masks.get(timeout=60) == mine


def test_threads_of_an_executor_keep_to_the_limit_where_it_was_made():
    wide = artel.stats()["openmp_threads"]
    with artel.limits(2), artel.Executor(2, initializer=lambda: None) as threads:
        assert threads.submit(lambda: artel.stats()["openmp_threads"]).result() == 1
    with artel.Executor(2) as threads:
        assert threads.submit(lambda: artel.stats()["openmp_threads"]).result() == wide


def regions():
    return artel.stats()["openmp_threads"]


class Both:
    """What holds for this package's loops, and for regions."""

    def __eq__(self, threads):
        return (_limits.width(), regions()) == (min(threads, self.wide), threads)

    def __init__(self):
        self.wide, self.regions = _limits.width(), regions()

    def __repr__(self):
        return f"{_limits.width()} of {self.wide}, {regions()} of {self.regions}"

    def outside(self):
        return (_limits.width(), regions()) == (self.wide, self.regions)


@pytest.fixture
def both():
    """With regions of more members than there are CPUs."""
    found = Both()
    openmp = ctypes.CDLL(artel._native.path_of(artel._native.OPENMP))
    openmp.omp_set_num_threads(8)
    yield Both()
    openmp.omp_set_num_threads(found.regions)


def test_limits_that_overlap(both):
    for first, second in ((1, 2), (2, 1), (3, 3)):
        a, b = artel.limits(first), artel.limits(second)
        a.__enter__()
        b.__enter__()
        assert both == min(first, second)
        a.__exit__(None, None, None)
        assert both == second
        b.__exit__(None, None, None)
        assert both.outside()


def test_limits_of_three_that_overlap(both):
    for order in itertools.permutations(range(3)):
        blocks = [artel.limits(threads) for threads in (4, 1, 2)]
        for block in blocks:
            block.__enter__()
        left = [4, 1, 2]
        for i in order:
            assert both == min(left)
            blocks[i].__exit__(None, None, None)
            left.remove((4, 1, 2)[i])
        assert both.outside()


def test_limits_in_generators(both):
    def with_limit(threads):
        with artel.limits(threads):
            yield threads
            yield threads

    one, two = with_limit(1), with_limit(2)
    next(one)
    next(two)
    assert both == 1
    one.close()
    assert both == 2
    two.close()
    assert both.outside()


def test_limits_that_end_on_another_thread(both):
    def with_limit():
        with artel.limits(1):
            yield

    kept = with_limit()
    next(kept)
    seen = []

    def end():
        before = regions()
        kept.close()
        seen.append(regions() == before)

    other = threading.Thread(target=end)
    other.start()
    other.join()
    assert seen == [True]
    assert _limits.width() == both.wide
    with artel.limits(2):  # the thread is here again
        assert both == 2
    assert both.outside()


def test_limits_of_tasks(both):
    """Of asyncio: loops and maps keep to the limit of their task."""

    async def task(threads, times):
        with artel.limits(threads) if threads else contextlib.nullcontext():
            for _ in range(times):
                await asyncio.sleep(0)
                assert _limits.threads() == (threads or 0)
                inner = artel.map(lambda _: regions(), range(1), chunk=1)
                assert inner == [threads or 8]
                assert _limits.threads() == (threads or 0)

    async def all_tasks():
        await asyncio.gather(task(1, 3), task(2, 9), task(None, 7), task(4, 1), task(3, 5))

    asyncio.run(all_tasks())
    assert both.outside()


def test_limits_of_contexts(both):
    with artel.limits(1):
        inside = contextvars.copy_context()
        assert contextvars.Context().run(_limits.threads) == 0
    assert inside.run(_limits.threads) == 0  # it has ended

    async def in_a_thread():
        with artel.limits(2):
            return await asyncio.to_thread(
                lambda: (_limits.threads(), artel.map(lambda _: regions(), [0]))
            )

    assert asyncio.run(in_a_thread()) == (2, [2])
    assert both.outside()


def test_limits_on_many_threads(both):
    wrong = []

    def work(seed):
        rng, blocks = random.Random(seed), []
        before = regions()
        for _ in range(300):
            if blocks and rng.random() < 0.5:
                blocks.pop(rng.randrange(len(blocks)))[0].__exit__(None, None, None)
            else:
                threads = rng.randint(1, 5)
                blocks.append((artel.limits(threads), threads))
                blocks[-1][0].__enter__()
            right = min([threads for _, threads in blocks], default=before)
            if regions() != min(right, before):
                wrong.append((seed, right, regions()))
        for block, _ in blocks:
            block.__exit__(None, None, None)
        if regions() != before or _limits.threads():
            wrong.append((seed, "end", regions()))

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []


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


def test_limits_of_threadpoolctl_between(both):
    threadpoolctl = pytest.importorskip("threadpoolctl")
    import artel.threadpoolctl

    outer, inner = artel.limits(3), artel.limits(2)
    outer.__enter__()
    with threadpoolctl.threadpool_limits(1, user_api="artel"):
        inner.__enter__()
        outer.__exit__(None, None, None)
        assert both == 2
    inner.__exit__(None, None, None)
    assert both.outside()
    assert _blocks._here.blocks == []


def interrupted(call, which):
    """An interrupt comes at this one of the points of _blocks' code where the interpreter looks for
    it. False: there are fewer."""
    points = itertools.count()

    def look(frame, event, _):
        code = frame.f_code
        # A generator that is only entered cannot be interrupted like this.
        here = event in ("c_call", "c_return") or (
            event == "call" and not code.co_flags & inspect.CO_GENERATOR
        )
        if here and code.co_filename == _blocks.__file__ and next(points) == which:
            raise KeyboardInterrupt

    sys.setprofile(look)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


def begin_and_end():
    with artel.limits(2):
        pass


@pytest.mark.parametrize("call", [lambda: _blocks.run(int), begin_and_end], ids=["run", "limits"])
def test_interrupts_lose_no_block(both, call):
    """Of another context than the one that they come in."""

    def with_limit():
        with artel.limits(3):
            yield

    kept = with_limit()
    next(kept)
    blocks = list(_blocks._here.blocks)
    which = 0
    while interrupted(lambda: contextvars.Context().run(call), which):
        begin_and_end()
        assert _blocks._here.blocks == blocks, which
        assert regions() == 3, which
        assert contextvars.copy_context().run(_limits.threads) == 3
        which += 1
    assert which > 10
    kept.close()
    assert both.outside()
