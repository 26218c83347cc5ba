"""tools/quickstart: how one run is measured, and its threads counted."""

import errno
import os
import pathlib
import sys
import tempfile
import time
import unittest
import unittest.mock

import runner_case  # noqa: F401  pylint: disable=unused-import  # it says where the others are
import agree
import measure
import threads


class ThreadCounting(unittest.TestCase):
    def test_threads_of_children_count_and_processes_do_not(self):
        forks = [
            (100, 101, 100),  # a thread of ours
            (102, 103, 102),  # a thread of a child, reported before the child itself
            (100, 102, 102),  # the child
            (7, 9, 7),  # somebody else's thread
            (7, 104, 104),  # and process
        ]
        self.assertEqual(threads.threads_of_tree(forks, 100), 2)

    def test_counter_sees_real_threads(self):
        counter = threads.best_counter()
        self.addCleanup(counter.close)
        source = (
            "import threading as t\nfor _ in range(5):\n x = t.Thread(target=int); x.start();"
            " x.join()"
        )
        with tempfile.TemporaryDirectory() as folder:
            run = measure.run_once([sys.executable, "-c", source], f"{folder}/log", counter)
        self.assertEqual(run.failure, "")
        if run.threads_exact:
            self.assertEqual(run.threads, 5)
        else:
            self.assertGreaterEqual(run.threads, 5)


class Measuring(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.log = f"{self.folder.name}/log"

    def run_it(self, *command, **more):
        return measure.run_once(list(command), self.log, threads.LastPidCounter(), **more)

    def test_success(self):
        run = self.run_it("sh", "-c", "echo result: 5; echo oops >&2")
        self.assertEqual(run.failure, "")
        text = pathlib.Path(self.log).read_text(encoding="utf-8")
        self.assertEqual(agree.result_lines(text), ["result: 5"])
        self.assertIn("oops", text)

    def test_cpu_time_and_switches_of_the_tree(self):
        run = self.run_it(
            sys.executable,
            "-c",
            "import time\nwhile time.process_time() < 0.1: pass\ntime.sleep(0.05)",
        )
        self.assertGreaterEqual(run.cpu, 0.1)
        self.assertGreaterEqual(run.wall, 0.15)
        self.assertGreaterEqual(run.switches, 1)

    def test_failures_in_words(self):
        self.assertEqual(self.run_it("sh", "-c", "exit 3").failure, "exit status 3")
        self.assertEqual(self.run_it("sh", "-c", "kill -SEGV $$").failure, "killed by SIGSEGV")
        self.assertEqual(self.run_it("no-such-program").failure, "no-such-program is not there")
        broken = pathlib.Path(self.folder.name) / "broken"
        broken.touch(0o755)
        self.assertEqual(
            self.run_it(str(broken)).failure, f"{broken} cannot be started: Exec format error"
        )

    def test_kernels_without_handles_of_processes(self):
        missing = OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
        with unittest.mock.patch("os.pidfd_open", side_effect=missing):
            self.assertEqual(self.run_it("sh", "-c", "sleep 0.1; exit 3").failure, "exit status 3")
            run = self.run_it("sleep", "1000", allowed=0.3)
        self.assertIn("did not finish within 0.3 s", run.failure)

    def test_a_program_that_hangs_is_killed_with_its_children(self):
        run = self.run_it("sh", "-c", "sleep 1000 & echo $!; sleep 1000", allowed=0.3)
        self.assertIn("did not finish within 0.3 s", run.failure)
        child = int(pathlib.Path(self.log).read_text(encoding="utf-8").split()[0])
        # Signals are delivered when the receiver next runs, which on a busy machine takes a while.
        deadline = time.monotonic() + 20
        state = "?"
        while state != "Z" and time.monotonic() < deadline:
            try:
                state = (
                    pathlib.Path(f"/proc/{child}/stat")
                    .read_text(encoding="ascii")
                    .rpartition(")")[2]
                    .split()[0]
                )
            except OSError:
                state = "Z"
            time.sleep(0.01)
        self.assertEqual(state, "Z")

    def test_runtimes_in_maps(self):
        maps = (
            "7f00-7f01 r-xp 00000000 fe:00 12 /usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\n"
            "7f02-7f03 r-xp 00000000 fe:00 12 /usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\n"
            "7f04-7f05 r-xp 00000000 fe:00 13 /home/a b/lib/libgomp-artel.so.1.0.0\n"
            "7f06-7f07 r-xp 00000000 fe:00 14 /usr/lib/libompstuff/libc.so.6\n"
        )
        self.assertEqual(
            measure.runtimes_in_maps(maps), ["libgomp.so.1.0.0", "libgomp-artel.so.1.0.0"]
        )


if __name__ == "__main__":
    unittest.main()
