"""`artel lab`: huge pages, transparent and explicit, for the measured job alone."""
import pathlib
import unittest

from support import TRANSPARENT, Folder


def free_blocks_of_huge_pages() -> int:
    """How many huge pages of 2 MiB the free memory has room for without moving anything."""
    try:
        zones = pathlib.Path("/proc/buddyinfo").read_text().splitlines()
    except OSError:
        return 0
    # "Node 0, zone Normal", then the number of free blocks of 1, 2, 4, ... pages of 4 KiB.
    blocks = (enumerate(map(int, zone.split()[4:])) for zone in zones)
    return sum(count << (order - 9) for zone in blocks for order, count in zone if order >= 9)


class PagePolicies(Folder):
    """That a variant's pages are what its name says, as the kernel counts them in the job."""

    def huge_kib(self, variant: str) -> int:
        done = self.lab(
            "--only",
            "rows",
            "--variants",
            variant,
            "-n",
            "2",
            "--matrix-k",
            "1024",
            "--rounds",
            "1",
            "--fresh",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.cells()["rows", variant, 2]
        if result["status"] == "skip":
            self.skipTest(result["reason"])
        self.assertEqual(result["status"], "ok", result)
        if result["evidence"]["huge_page_kib"] is None:
            self.skipTest(result["evidence"]["unavailable"]["huge_page_kib"])
        return result["evidence"]["huge_page_kib"]

    def test_switched_off_for_the_job_alone(self):
        before = TRANSPARENT.read_text()
        self.assertEqual(self.huge_kib("T-N"), 0)
        self.assertEqual(self.huge_kib("P-N"), 0)
        self.assertEqual(TRANSPARENT.read_text(), before)

    def test_transparent_where_the_machine_gives_them(self):
        free = free_blocks_of_huge_pages()
        found = self.huge_kib("T")
        if "[never]" in TRANSPARENT.read_text():
            self.assertEqual(found, 0)
        else:
            half = 3 * 8192 // 2  # of three matrices of 8 MiB: other programs take pages, too
            if found < half and min(free, free_blocks_of_huge_pages()) * 2048 < 4 * half:
                self.skipTest("the kernel's free memory is in pieces smaller than huge pages")
            self.assertGreaterEqual(found, half)

    def test_explicit(self):
        for variant in ("HP.T-M", "HP.P"):
            self.assertGreaterEqual(
                self.huge_kib(variant), 2 * 8192
            )  # what the job's first process has touched


if __name__ == "__main__":
    unittest.main()
