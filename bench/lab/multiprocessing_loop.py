"""The loop of overhead.cpp over Python's multiprocessing: Pool.map with the same grain, results in shared memory. Prints JSON lines."""
import json
import multiprocessing
import sys
import time

OUT = None


def share(out) -> None:
    global OUT
    OUT = out


def body(index: int) -> None:
    OUT[index] = 2 * index


def main() -> None:
    workers = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    for n in (workers, 1000, 1000000):
        out = multiprocessing.RawArray("Q", n)
        grain = min(max(n // (workers * 32), 1), 1024)
        with multiprocessing.get_context("fork").Pool(workers, share, (out,)) as pool:
            least = float("inf")
            for _ in range(3 if n > 10000 else 100):
                begin = time.perf_counter()
                pool.map(body, range(n), grain)
                least = min(least, time.perf_counter() - begin)
        assert all(value == 2 * i for i, value in enumerate(out))
        print(json.dumps({"name": "multiprocessing", "indices": n, "ns_per_index": round(least * 1e9 / n, 2)}))


if __name__ == "__main__":
    main()
