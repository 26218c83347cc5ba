"""`artel lab`: huge pages where the kernel finds none. The lab's own view of them is replaced, in a
mount namespace, so that the numbers of the machine stay as they are."""
import os
import signal
import subprocess
import sys
import time
import unittest

from support import TOOL, Folder, environment

HUGE_PAGES = "/sys/kernel/mm/hugepages/hugepages-2048kB"
# 48 huge pages.
ROWS = ("--only", "rows", "--variants", "HP.P", "-n", "2", "--matrix-k", "2000", "--rounds", "1")

# Starts its arguments in a system whose close_range fails with ENOSYS, by a filter of four
# instructions for calls of the kernel.
WITHOUT_CLOSE_RANGE = """
import ctypes, os, struct, sys
steps = (0x20, 0, 0, 0), (0x15, 0, 1, 436), (0x06, 0, 0, 0x50000 | 38), (0x06, 0, 0, 0x7FFF0000)
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *it) for it in steps))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(code)))
prctl = ctypes.CDLL(None, use_errno=True).prctl
none = ctypes.c_ulong(0)
if prctl(38, ctypes.c_ulong(1), none, none, none) or prctl(22, ctypes.c_ulong(2), program):
    sys.exit(os.strerror(ctypes.get_errno()))
os.execvp(sys.argv[1], sys.argv[1:])
"""


class Reservations(Folder):
    def setUp(self):
        super().setUp()
        if not os.path.isdir(HUGE_PAGES):
            self.skipTest("this kernel has no huge pages of 2 MiB")
        self.view = self.folder / "hugepages"
        self.view.mkdir()
        for name, number in {
            "nr_hugepages": 100,
            "free_hugepages": 0,
            "resv_hugepages": 0,
            "surplus_hugepages": 0,
        }.items():
            (self.view / name).write_text(f"{number}\n")

    def inside(self, script: str, *arguments: str) -> list[str]:
        """The command that runs a script of the shell where `view` stands for the machine."""
        prefix = ["unshare", "--mount", "--net", "sh", "-c"]
        mounted = f'mount --bind "{self.view}" {HUGE_PAGES} && '
        if subprocess.run([*prefix, mounted + "true"], capture_output=True).returncode != 0:
            self.skipTest("no right to mount")
        return [*prefix, mounted + script, TOOL, "lab", "-o", str(self.folder / "out"), *arguments]

    def test_no_more_is_taken_away_than_was_added(self):
        """A setting of an empty network, at most 127, stands for a pool that cannot grow by so
        many pages."""
        setting = "/proc/sys/net/ipv4/tcp_syn_retries"
        command = self.inside(
            f"echo 100 > {setting} && mount --bind {setting} {HUGE_PAGES}/nr_hugepages || exit 77; "
            f'"$0" "$@" >&2; cat {HUGE_PAGES}/nr_hugepages',
            *ROWS,
        )
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=60, env=environment()
        )
        if done.returncode == 77:
            self.skipTest(done.stderr)
        self.assertIn("found memory for only 0 of 48 huge pages", done.stderr)
        self.assertEqual(done.stdout, "100\n")

    def test_too_few_pages_are_given_back_at_once(self):
        """Cells that need them are skipped, so other programs may have them while the others are
        measured. As many as are asked for are reserved here, but none of them is ever free."""
        command = self.inside(
            'exec "$0" "$@"',
            "--only",
            "alloc,rows",
            "--variants",
            "T,HP.P",
            "-n",
            "2",
            "--matrix-k",
            "100",
            "--alloc-k",
            "8000000",
            "--no-allocators",
            "--rounds",
            "20",
        )
        journal = self.folder / "out" / "unfinished.jsonl"
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()
        )
        try:
            deadline = time.monotonic() + 60
            # the header and a cell
            while time.monotonic() < deadline and not (
                journal.exists() and len(journal.read_text().splitlines()) >= 2
            ):
                time.sleep(0.02)
            self.assertEqual((self.view / "nr_hugepages").read_text().strip(), "100")
            self.assertIsNone(process.poll())
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=30)

    def test_kernels_that_do_not_close_ranges_of_descriptors(self):
        """The lab waits for its guardian, which waits until the lab's end of their connection is
        closed; a copy of that end is among what the guardian inherits."""
        command = self.inside('exec "$0" "$@"', *ROWS)
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_CLOSE_RANGE, *command],
            capture_output=True,
            text=True,
            timeout=60,
            env=environment(),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("found memory for only 0 of 48 huge pages", done.stdout)
        self.assertEqual((self.view / "nr_hugepages").read_text().strip(), "100")


if __name__ == "__main__":
    unittest.main()
