"""`artel lab`: what it measures is the same for threads and processes and right, refusals become
rows with reasons, and nothing stays behind."""
import fcntl
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import termios
import time
import unittest
import uuid

TOOL = os.environ.get("ARTEL_TOOL", "")
NR_HUGEPAGES = pathlib.Path("/proc/sys/vm/nr_hugepages")
TRANSPARENT = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")


def environment() -> dict[str, str]:
    return {
        k: v for k, v in os.environ.items() if not k.startswith(("ARTEL_", "OMP_", "LD_PRELOAD"))
    }


def measure(**wanted) -> dict:
    """The result of one cell, measured as the lab does it."""
    cell = {
        "workload": "alloc",
        "variant": "T",
        "allocator": "glibc",
        "affinity": "none",
        "tasks": 1,
        "size": 1000,
        "width": 16,
        "repeat": 0,
        "trace": 0,
        "check": "full",
        "tmpfs": "/dev/shm",
    } | wanted
    reader, writer = os.pipe()
    # The result is expected on descriptor 3.
    process = subprocess.Popen(
        ["sh", "-c", f'exec "$0" lab --cell "$1" 3>&{writer}', TOOL, json.dumps(cell)],
        pass_fds=[writer],
        env=environment(),
    )
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    process.wait(timeout=60)
    return json.loads(text)


def skip_if_huge_pages_are_free(test: unittest.TestCase) -> None:
    """Else the lab has no need to reserve any."""
    free = pathlib.Path("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages")
    if free.exists() and int(free.read_text()) > 0:
        test.skipTest("somebody has reserved huge pages")


class Folder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.folder.chmod(0o777)

    def lab(self, *arguments: str, **how) -> subprocess.CompletedProcess:
        return subprocess.run(
            [TOOL, "lab", "-o", self.folder / "out", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            env=environment(),
            **how,
        )

    def cells(self) -> dict:
        document = json.loads((self.folder / "out" / "results.json").read_text())
        return {
            (c["cell"]["workload"], c["cell"]["variant"], c["cell"]["tasks"]): c["result"]
            for c in document["cells"]
            if c["cell"]["allocator"] == "glibc"
        }


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
            "--repeats",
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


class Allocators(Folder):
    def test_allocators_are_measured_or_skipped_with_the_command(self):
        done = self.lab(
            "--only", "alloc", "-n", "2", "--alloc-k", "3000", "--repeats", "1", "--variants", "T,P"
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
        done = self.lab(*self.QUICK, "--repeats", "2")
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

    def test_the_old_name_of_an_option_works_and_says_the_new_one(self):
        done = subprocess.run(
            [TOOL, "lab", "--output", self.folder / "out", *self.QUICK, "--repeats", "1"],
            capture_output=True,
            text=True,
            timeout=120,
            env=environment(),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--output is now called --out", done.stderr)
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
            "--repeats",
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
            "--repeats",
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
                "--repeats",
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
                        "--repeats",
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
                "--repeats",
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
            "--repeats",
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
        done = self.lab(*self.QUICK, "--repeats", "1", "--stop-after", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\n0 of \d+ cells are measured; the same command goes on")
        self.assertTrue((self.folder / "out" / "report.html").exists())
        done = self.lab(*self.QUICK, "--repeats", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("cells are measured", done.stdout)
        self.assertTrue(all(result["status"] != "missing" for result in self.cells().values()))


def marked(mark: str) -> list[int]:
    """The processes that have the mark in their environment: everything that one lab run has
    started."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass  # it has ended, or is not ours
    return found


class Interrupts(Folder):
    def started(self, mark: str, more_than: int) -> int:
        """How many processes have the mark, once they are more than that; on a busy machine it
        takes them a while."""
        deadline = time.monotonic() + 30
        while (most := len(marked(mark))) <= more_than and time.monotonic() < deadline:
            time.sleep(0.05)
        return most

    def test_control_c_at_a_terminal(self):
        """The terminal sends SIGINT to what is in its foreground. Nothing may be left of the run:
        no process, no file, no huge page."""
        mark = f"ARTEL_TEST_MARK={uuid.uuid4()}"
        huge_before = NR_HUGEPAGES.read_text()
        arrays = tempfile.TemporaryDirectory(dir="/dev/shm")
        self.addCleanup(arrays.cleanup)
        master, terminal = os.openpty()

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        name, value = mark.split("=")
        process = subprocess.Popen(
            [
                TOOL,
                "lab",
                "-o",
                self.folder / "out",
                "--only",
                "rows,exchanges",
                "--variants",
                "P,HP.P",
                "-n",
                "8",
                "--matrix-k",
                "600",
                "--exchange-k",
                "4000000",
                "--repeats",
                "2",
                "--tmpfs",
                arrays.name,
            ],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            preexec_fn=own_terminal,
            env=environment() | {name: value},
        )
        os.close(terminal)
        seen, interrupted, most = b"", False, 0
        reserved = False
        deadline = time.monotonic() + 100
        while time.monotonic() < deadline:
            try:
                part = os.read(master, 4096)
            except OSError:  # nobody has the terminal any more
                break
            seen += part
            reserved = reserved or NR_HUGEPAGES.read_text() != huge_before
            # The array that travels, by processes: many tasks, files, pipes.
            if not interrupted and b"exchanges P N=8" in seen:
                most = self.started(mark, more_than=8)
                os.write(master, b"\x03")
                interrupted = True
        os.close(master)
        self.assertEqual(process.wait(timeout=30), 128 + signal.SIGINT, seen[-500:])
        self.assertTrue(interrupted)
        self.assertGreater(most, 8)  # there was something to leave behind
        self.assertRegex(seen, rb"\[#*\.+\] \d+/\d+ ")  # the progress bar
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and (
            marked(mark) or NR_HUGEPAGES.read_text() != huge_before
        ):
            time.sleep(0.05)
        self.assertEqual(marked(mark), [])
        self.assertEqual(os.listdir(arrays.name), [])
        self.assertEqual(NR_HUGEPAGES.read_text(), huge_before)
        if os.access(NR_HUGEPAGES, os.W_OK) and b": skip: " not in seen:
            self.assertTrue(reserved or int(huge_before) > 0)

    def interrupt(self, number: int) -> None:
        before = NR_HUGEPAGES.read_text()
        arguments = (
            "--only",
            "rows,alloc",
            "--variants",
            "T,P,HP.P",
            "-n",
            "2,8",
            "--matrix-k",
            "48",
            "--alloc-k",
            "8000000",
            "--no-allocators",
            "--repeats",
            "3",
        )
        marker = f"{self.folder}/out"
        process = subprocess.Popen(
            [TOOL, "lab", "-o", marker, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )
        journal = self.folder / "out" / "unfinished.jsonl"
        deadline = time.monotonic() + 60
        # the header, rows for two tasks
        while time.monotonic() < deadline and not (
            journal.exists() and len(journal.read_text().splitlines()) >= 4
        ):
            time.sleep(0.02)
        time.sleep(0.2)  # now one of the long cells is running
        jobs = []
        while time.monotonic() < deadline and not jobs:  # between two cells there is no job
            jobs = subprocess.run(
                ["pgrep", "-P", str(process.pid)], capture_output=True, text=True
            ).stdout.split()
        self.assertTrue(jobs)
        process.send_signal(number)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(
            process.returncode, 128 + number if number != signal.SIGKILL else -number, errors
        )
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and any(os.path.exists(f"/proc/{job}") for job in jobs):
            time.sleep(0.05)
        self.assertFalse([job for job in jobs if os.path.exists(f"/proc/{job}")])
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and NR_HUGEPAGES.read_text() != before:
            time.sleep(0.05)
        self.assertEqual(NR_HUGEPAGES.read_text(), before)
        self.assertGreaterEqual(len(journal.read_text().splitlines()), 4)

    def test_interrupt_leaves_nothing_but_finished_cells_which_are_kept(self):
        self.interrupt(signal.SIGINT)
        # Only cells that are finished, so that the second run measures nothing and must be fast.
        again = self.lab(
            "--only", "rows", "--variants", "T", "-n", "2", "--matrix-k", "48", "--repeats", "1"
        )
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("going on with the interrupted run", again.stderr)
        self.assertFalse((self.folder / "out" / "unfinished.jsonl").exists())

    def test_being_killed_leaves_nothing(self):
        self.interrupt(signal.SIGKILL)


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
            "--repeats",
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
            "--repeats",
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
            "--repeats",
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
            "--repeats",
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
                "--repeats",
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
                "--repeats",
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
