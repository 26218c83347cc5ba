"""`artel lab`: what it measures is right, and the same for threads, processes and allocators."""
import json
import unittest

from support import Folder, measure


class Results(unittest.TestCase):
    def test_against_serial_oracles_at_odd_sizes_and_many_tasks(self):
        for workload, sizes in {
            "alloc": (1, 777, 20000),
            "rows": (1, 33, 67),
            "tiles": (1, 33, 67),
            "exchanges": (1, 999, 6000),
        }.items():
            variants = ("T", "P")
            if workload in ("rows", "tiles"):
                variants = ("T", "T-M", "P", "T-N", "P-N")
            for size in sizes:
                for tasks in (1, 3, 512):
                    if (
                        tasks == 512
                        and size == sizes[1]
                        or size < tasks
                        and workload in ("alloc", "exchanges")
                    ):
                        continue
                    sums = set()
                    for variant in variants:
                        result = measure(workload=workload, variant=variant, tasks=tasks, size=size)
                        self.assertEqual(
                            result["status"], "ok", (workload, variant, tasks, size, result)
                        )
                        sums.add(result.get("checksum"))
                    self.assertEqual(len(sums), 1, (workload, tasks, size))

    def test_both_variants_execute_the_same_operations(self):
        for workload in ("alloc", "exchanges"):
            threads, processes = (
                measure(workload=workload, variant=v, tasks=4, size=2000, trace=500)["trace"]
                for v in ("T", "P")
            )
            self.assertEqual(len(threads), 4)
            for a, b in zip(threads, processes):
                shorter = min(len(a), len(b))  # Exchanges: the stop comes sooner or later
                self.assertEqual(a[:shorter], b[:shorter], workload)
                if workload == "alloc":
                    self.assertEqual((len(a), len(b)), (500, 500))
        for workload in ("rows", "tiles"):
            threads, processes = (
                measure(workload=workload, variant=v, tasks=5, size=33, trace=2)["trace"]
                for v in ("T-M", "P")
            )
            self.assertEqual(threads, processes)

    def test_evidence_is_there_or_its_absence_has_a_reason(self):
        evidence = measure(tasks=4, size=100000)["evidence"]
        self.assertGreater(evidence["minor_faults"], 0)
        self.assertGreater(evidence["malloc_seconds"], 0)
        for name in (
            "cycles",
            "instructions",
            "dtlb_load_misses",
            "futex_waits",
            "tlb_flushes_sent",
            "tlb_interrupts_machine",
            "huge_page_kib",
        ):
            self.assertTrue(evidence[name] is not None or evidence["unavailable"][name], name)


class Allocators(Folder):
    def test_allocators_are_measured_or_skipped_with_the_command(self):
        done = self.lab(
            "--only", "alloc", "-n", "2", "--alloc-k", "3000", "--rounds", "1", "--variants", "T,P"
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads((self.folder / "out" / "results.json").read_text())
        found = {
            (c["cell"]["allocator"], c["cell"]["variant"]): c["result"] for c in document["cells"]
        }
        for allocator in ("glibc", "glibc-huge", "jemalloc", "mimalloc", "tcmalloc"):
            for variant in ("T", "P"):
                result = found[allocator, variant]
                self.assertTrue(
                    result["status"] == "ok" or "apt-get install" in result["reason"],
                    (allocator, result),
                )
        # The operations are the same whoever allocates.
        self.assertEqual(len({r["checksum"] for r in found.values() if r["status"] == "ok"}), 1)


if __name__ == "__main__":
    unittest.main()
