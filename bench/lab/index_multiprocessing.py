"""The loop of index.h over Python's multiprocessing: Pool.map with the same grain, results in
shared memory. Prints what measure.h prints."""
import argparse
import json
import multiprocessing
import statistics
import time

OUT = None


def share(out) -> None:
    global OUT
    OUT = out


def body(index: int) -> None:
    OUT[index] = 2 * index


def sample(name: str, unit: str, scale: float, workers: int, seconds: float, operation) -> None:
    operation()  # warm
    values = []
    end = time.perf_counter() + seconds
    while len(values) < 5 or time.perf_counter() < end:
        begin = time.perf_counter()
        operation()
        values.append((time.perf_counter() - begin) * scale)
    values.sort()
    print(
        json.dumps(
            {
                "measure": name,
                "threads": workers,
                "unit": unit,
                "median": statistics.median(values),
                "min": values[0],
                "p90": values[(len(values) - 1) * 9 // 10],
                "samples": len(values),
                "batch": 1,
            }
        ),
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=0.5)
    options, _ = parser.parse_known_args()  # measure.h knows more
    workers = options.threads
    fork = multiprocessing.get_context("fork")
    for name, unit, scale, n in (
        ("loop", "us", 1e6, workers),
        ("index-1000", "ns", 1e6, 1000),
        ("index-million", "ns", 1e3, 1000000),
    ):
        out = multiprocessing.RawArray("Q", n)
        grain = min(max(n // (workers * 32), 1), 1024)
        with fork.Pool(workers, share, (out,)) as pool:
            sample(
                name, unit, scale, workers, options.seconds, lambda: pool.map(body, range(n), grain)
            )
        assert all(value == 2 * i for i, value in enumerate(out))

    def make() -> None:
        with fork.Pool(workers) as pool:
            pool.map(abs, range(workers), 1)

    sample("make", "ms", 1e3, workers, options.seconds, make)


if __name__ == "__main__":
    main()
