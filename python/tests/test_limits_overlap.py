"""artel.limits: blocks that overlap, of tasks, contexts and threads, and interrupts in them."""

import asyncio
import contextlib
import contextvars
import ctypes
import inspect
import itertools
import random
import sys
import threading

import artel
import pytest
from artel import _blocks, _limits


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
