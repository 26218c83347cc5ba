"""`artel lab`: runs that are interrupted or killed leave nothing but finished cells, with which
the next run goes on."""
import fcntl
import os
import pathlib
import signal
import subprocess
import tempfile
import termios
import time
import unittest
import uuid

from support import NR_HUGEPAGES, TOOL, Folder, environment


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
                "--rounds",
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
            "--rounds",
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
            "--only", "rows", "--variants", "T", "-n", "2", "--matrix-k", "48", "--rounds", "1"
        )
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn("going on with the interrupted run", again.stderr)
        self.assertFalse((self.folder / "out" / "unfinished.jsonl").exists())

    def test_being_killed_leaves_nothing(self):
        self.interrupt(signal.SIGKILL)


if __name__ == "__main__":
    unittest.main()
