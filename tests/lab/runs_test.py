"""`artel lab`: whole runs, from the command line to tables, report and results, and what a run
leaves behind."""
import json
import os
import signal
import subprocess
import time
import unittest

from support import NR_HUGEPAGES, TOOL, Folder, environment, skip_if_huge_pages_are_free


class WholeRuns(Folder):
    QUICK = (
        "--only",
        "alloc,rows,exchanges",
        "--alloc-k",
        "2000",
        "--matrix-k",
        "40",
        "--exchange-k",
        "400",
        "-n",
        "1,4",
        "--no-allocators",
    )

    def test_tables_report_and_sentences(self):
        done = self.lab(*self.QUICK, "--rounds", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("Table 2", "Table 3", "Table 5", "T / P here", "T / P X5675", "58.56 %"):
            self.assertIn(word, done.stdout)
        page = (self.folder / "out" / "report.html").read_text()
        self.assertIn("<svg", page)
        self.assertNotIn(
            "http", page.split('id="results"')[0].replace("http://www.w3.org", "")
        )  # self-contained
        document = json.loads((self.folder / "out" / "results.json").read_text())
        self.assertTrue(document["summary"]["sentences"])
        self.assertEqual(
            sorted(p.name for p in (self.folder / "out").iterdir()), ["report.html", "results.json"]
        )

    def test_the_old_names_of_options_work_and_say_the_new_ones(self):
        done = subprocess.run(
            [TOOL, "lab", "--output", self.folder / "out", *self.QUICK, "--repeats", "1"],
            capture_output=True,
            text=True,
            timeout=120,
            env=environment(),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--output is now called --out\n", done.stderr)
        self.assertIn("--repeats is now called --rounds\n", done.stderr)
        self.assertTrue((self.folder / "out" / "results.json").exists())

    def test_huge_pages_are_given_back_or_skipped_with_the_command(self):
        before = NR_HUGEPAGES.read_text()
        done = self.lab(
            "--only",
            "rows",
            "--variants",
            "HP.T-M,HP.P",
            "-n",
            "2",
            "--matrix-k",
            "64",
            "--rounds",
            "1",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        for result in self.cells().values():
            self.assertTrue(result["status"] == "ok" or "sysctl" in result["reason"], result)
        self.assertEqual(NR_HUGEPAGES.read_text(), before)
        self.lab(
            "--only",
            "rows",
            "--variants",
            "HP.P",
            "-n",
            "2",
            "--matrix-k",
            "65",
            "--rounds",
            "1",
            "--no-reserve",
        )
        for result in self.cells().values():
            self.assertTrue(result["status"] == "ok" or "sysctl" in result["reason"], result)

    def test_descriptors_that_the_lab_inherits_do_not_keep_huge_pages(self):
        """The guardian of the reservation waits for the end of a pipe whose other end it has
        inherited too, whatever its number."""
        skip_if_huge_pages_are_free(self)
        before = NR_HUGEPAGES.read_text()
        files = [os.open("/dev/null", os.O_RDONLY) for _ in range(300)]
        try:
            done = self.lab(
                "--only",
                "rows",
                "--variants",
                "HP.P",
                "-n",
                "2",
                "--matrix-k",
                "64",
                "--rounds",
                "1",
                pass_fds=files,
            )
        finally:
            for file in files:
                os.close(file)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(NR_HUGEPAGES.read_text(), before)

    def test_labs_at_once_reserve_and_give_back_exactly(self):
        """Each adds to the number of reserved pages and takes away again, while the others do."""
        skip_if_huge_pages_are_free(self)
        before = NR_HUGEPAGES.read_text()
        for round_number in range(4):
            labs = [
                subprocess.Popen(
                    [
                        TOOL,
                        "lab",
                        "-o",
                        self.folder / str(i),
                        "--only",
                        "rows",
                        "--variants",
                        "HP.T-M",
                        "-n",
                        "1",
                        "--matrix-k",
                        "8",
                        "--rounds",
                        "1",
                        "--fresh",
                    ],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=environment(),
                )
                for i in range(8)
            ]
            self.assertEqual([lab.wait(timeout=60) for lab in labs], [0] * len(labs))
        self.assertEqual(NR_HUGEPAGES.read_text(), before)

    def test_a_second_lab_in_the_folder_is_told_of_the_first(self):
        first = subprocess.Popen(
            [
                TOOL,
                "lab",
                "-o",
                self.folder / "out",
                "--only",
                "alloc",
                "--variants",
                "T",
                "-n",
                "1",
                "--alloc-k",
                "4000000",
                "--rounds",
                "20",
                "--no-allocators",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment(),
        )
        try:
            journal = self.folder / "out" / "unfinished.jsonl"
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline and not journal.exists():
                time.sleep(0.02)
            second = self.lab("--quick", "--only", "rows")
            self.assertEqual(second.returncode, 1)
            # Some file systems do not let the process be known.
            self.assertRegex(
                second.stderr,
                rf"another lab( \(process {first.pid}\))? is writing to {self.folder}/out",
            )
            self.assertIsNone(first.poll())
        finally:
            first.send_signal(signal.SIGINT)
            self.assertEqual(first.wait(timeout=30), 128 + signal.SIGINT)
        self.assertEqual(
            self.lab("--only", "rows", "--variants", "T", "-n", "1", "--matrix-k", "8").returncode,
            0,
        )

    def test_workloads_named_twice_are_measured_once(self):
        self.assertEqual(
            self.lab("--quick", "--only", "alloc,alloc", "--list").stdout,
            self.lab("--quick", "--only", "alloc", "--list").stdout,
        )

    def test_workloads_that_no_variant_applies_to_are_named(self):
        done = self.lab("--only", "alloc,exchanges", "--variants", "T-M,HP.P")
        self.assertEqual(done.returncode, 2)
        self.assertIn(
            "nothing to measure: none of the variants T-M, HP.P applies to alloc, exchanges",
            done.stderr,
        )
        done = self.lab("--only", "alloc,rows", "--variants", "T-M", "-n", "2", "--matrix-k", "8")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("none of the variants T-M applies to alloc", done.stderr)

    def test_fewer_steps_than_tasks_are_a_row_with_its_reason(self):
        done = self.lab(
            "--only",
            "alloc,exchanges",
            "--variants",
            "T,P",
            "-n",
            "4,64",
            "--alloc-k",
            "50",
            "--exchange-k",
            "50",
            "--no-allocators",
            "--rounds",
            "1",
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("FAIL", done.stdout)
        for (workload, variant, tasks), result in self.cells().items():
            self.assertEqual(
                result["status"], "ok" if tasks == 4 else "fail", (workload, variant, tasks, result)
            )
            if tasks == 64:
                self.assertIn("K = 50 steps are too few for 64 tasks", result["reason"])

    def test_stops_when_the_time_is_up_and_goes_on(self):
        done = self.lab(*self.QUICK, "--rounds", "1", "--stop-after", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\n0 of \d+ cells are measured; the same command goes on")
        self.assertTrue((self.folder / "out" / "report.html").exists())
        done = self.lab(*self.QUICK, "--rounds", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("cells are measured", done.stdout)
        self.assertTrue(all(result["status"] != "missing" for result in self.cells().values()))


if __name__ == "__main__":
    unittest.main()
