"""`artel lab`: what a machine refuses becomes a row with its reason and the command that helps."""
import os
import resource
import subprocess
import unittest

from support import TOOL, Folder, measure, skip_if_huge_pages_are_free


class Refusals(Folder):
    def limited(self, limit: int, value: int, **how):
        return {"preexec_fn": lambda: resource.setrlimit(limit, (value, value))} | how

    def failure(self, workload: str, variant: str, tasks: int) -> str:
        result = self.cells()[workload, variant, tasks]
        self.assertEqual(result["status"], "fail", result)
        return result["reason"]

    def ordinary_user(self) -> dict:
        """How to run as somebody who is not root: root is exempt from limits and may reserve huge
        pages."""
        if os.geteuid() != 0:
            return {}
        if subprocess.run(["test", "-x", TOOL], user=64321).returncode != 0:
            self.skipTest("the build folder is closed to other users")
        return {"user": 64321, "group": 64321, "extra_groups": []}

    def test_huge_pages_without_the_right_to_reserve_them(self):
        skip_if_huge_pages_are_free(self)
        done = self.lab(
            "--only",
            "rows",
            "--variants",
            "P,HP.P",
            "-n",
            "2",
            "--matrix-k",
            "64",
            "--rounds",
            "1",
            **self.ordinary_user(),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.cells()["rows", "P", 2]["status"], "ok")
        result = self.cells()["rows", "HP.P", 2]
        self.assertEqual(result["status"], "skip")
        self.assertRegex(
            result["reason"], r"enable: sysctl -w vm.nr_hugepages=\d|this kernel has no huge pages"
        )
        self.assertIn("SKIP", done.stdout)

    def test_number_of_processes(self):
        how = self.ordinary_user()
        done = self.lab(
            "--only",
            "alloc",
            "--variants",
            "P",
            "-n",
            "2,64",
            "--alloc-k",
            "1000",
            "--no-allocators",
            "--rounds",
            "1",
            **self.limited(resource.RLIMIT_NPROC, 20, **how),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        if how:  # otherwise the user's other processes count
            self.assertEqual(self.cells()["alloc", "P", 2]["status"], "ok")
        self.assertIn("ulimit -u", self.failure("alloc", "P", 64))
        self.assertIn("FAIL", done.stdout)

    def test_address_space(self):
        done = self.lab(
            "--only",
            "alloc,rows",
            "--variants",
            "T",
            "-n",
            "1,64",
            "--alloc-k",
            "2000000",
            "--matrix-k",
            "100",
            "--no-allocators",
            "--rounds",
            "1",
            **self.limited(resource.RLIMIT_AS, 300 << 20),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ulimit -v", self.failure("alloc", "T", 1))
        self.assertIn("thread", self.failure("rows", "T", 64))
        self.assertEqual(self.cells()["rows", "T", 1]["status"], "ok")

    def test_open_files(self):
        self.lab(
            "--only",
            "exchanges",
            "--variants",
            "T",
            "-n",
            "4,64",
            "--exchange-k",
            "500",
            "--rounds",
            "1",
            **self.limited(resource.RLIMIT_NOFILE, 64),
        )
        self.assertIn("ulimit -n", self.failure("exchanges", "T", 64))

    def test_hardly_any_open_files(self):
        """Whatever it is that cannot be opened: the limit is named, in a row or in the error."""
        for limit in range(4, 13):
            done = self.lab(
                "--only",
                "exchanges",
                "--variants",
                "P",
                "-n",
                "2",
                "--exchange-k",
                "500",
                "--rounds",
                "1",
                "--fresh",
                **self.limited(resource.RLIMIT_NOFILE, limit),
            )
            if done.returncode == 0 and "FAIL" not in done.stdout:
                return
            self.assertIn(done.returncode, (0, 1, 127), done.stderr)
            if done.returncode != 127:  # else not even the loader found its libraries
                self.assertIn("ulimit -n", done.stdout + done.stderr, limit)
        self.fail("12 descriptors are enough for two processes")

    def test_full_tmpfs(self):
        if os.geteuid() != 0:
            self.skipTest("mounting needs root")
        small = self.folder / "small"
        small.mkdir()
        if (
            subprocess.run(
                ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small], capture_output=True
            ).returncode
            != 0
        ):
            self.skipTest("no right to mount")
        try:
            self.lab(
                "--only",
                "exchanges",
                "--variants",
                "P",
                "-n",
                "4",
                "--exchange-k",
                "4000",
                "--rounds",
                "1",
                "--tmpfs",
                str(small),
            )
            self.assertIn("No space left", self.failure("exchanges", "P", 4))
            self.assertEqual(list(small.iterdir()), [])
        finally:
            subprocess.run(["umount", small])

    def test_missing_allocator_is_skipped_with_the_command(self):
        result = measure(allocator="jemalloc")  # measured without the preloading that the lab does
        self.assertEqual(result["status"], "skip")
        self.assertIn("apt-get install libjemalloc2", result["reason"])

    def test_no_huge_pages(self):
        skip_if_huge_pages_are_free(self)
        for variant in ("HP.T-M", "HP.P"):
            result = measure(workload="tiles", variant=variant, tasks=2, size=64)
            self.assertEqual(result["status"], "fail")
            self.assertRegex(
                result["reason"], r"huge pages of 2 MiB: .*enable: sysctl -w vm.nr_hugepages=\d"
            )

    def test_too_large_for_the_machine(self):
        self.assertIn("GiB", measure(size=1 << 40)["reason"])


if __name__ == "__main__":
    unittest.main()
