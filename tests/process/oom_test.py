"""The kernel's OOM killer, for real: a control group with little memory, and a process_crew in it
of which one index takes too much.

A machine limits memory by version 1 or by version 2 of control groups, never by both. The one that
this machine has not is met in a virtual machine by numa-vm (see tests/tools/numa_vm_test.py), where
there is one."""
import json
import os
import pathlib
import re
import signal
import subprocess
import unittest

PROGRAM = os.environ["ARTEL_TEST_PROCESS_OUT_OF_MEMORY"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
NUMA_VM = os.environ.get("ARTEL_TEST_NUMA_VM", str(ROOT.parent / "shared" / "tools" / "numa-vm"))
LIMIT = 96 << 20


def own_group(controller: str) -> str | None:
    """The path of this process's group under that controller; "" names the one hierarchy of version
    2."""
    for line in pathlib.Path("/proc/self/cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        if controller in controllers.split(","):
            return path
    return None


class Group:
    """A control group limited to LIMIT bytes; raises SkipTest, with the reason, where none can be
    had."""

    def __init__(self):
        name = f"artel-oom-test-{os.getpid()}"
        one, two = own_group("memory"), own_group("")
        if one is not None:
            self.path = pathlib.Path("/sys/fs/cgroup/memory" + one) / name
            self.limits = {"memory.limit_in_bytes": LIMIT, "memory.memsw.limit_in_bytes": LIMIT}
            self.required, self.events = "memory.limit_in_bytes", "memory.oom_control"
        elif two is not None:
            parent = pathlib.Path("/sys/fs/cgroup" + two)
            self.path = parent / name
            try:  # where it is not yet so; only the root may hold processes as well
                (parent / "cgroup.subtree_control").write_text("+memory")
            except OSError:
                pass  # shown below by the file that is missing
            self.limits = {"memory.max": LIMIT, "memory.swap.max": 0, "memory.oom.group": 0}
            self.required, self.events = "memory.max", "memory.events"
        else:
            raise unittest.SkipTest("no control groups for memory")
        try:
            self.path.mkdir()
        except OSError as error:
            raise unittest.SkipTest(f"cannot make a control group: {error}") from error
        try:
            for file, value in self.limits.items():
                if file == self.required or (self.path / file).exists():
                    (self.path / file).write_text(str(value))
        except OSError as error:
            self.path.rmdir()
            raise unittest.SkipTest(f"cannot limit memory in a control group: {error}") from error

    def enter(self) -> None:
        (self.path / "cgroup.procs").write_text("0")

    def kills(self) -> int:
        return int(
            re.search(
                r"^oom_kill (\d+)", (self.path / self.events).read_text(), re.MULTILINE
            ).group(1)
        )


class OutOfMemory(unittest.TestCase):
    def test_the_greedy_worker_dies_and_nothing_else(self):
        group = Group()
        self.addCleanup(group.path.rmdir)
        done = subprocess.run(
            [PROGRAM], capture_output=True, text=True, timeout=100, preexec_fn=group.enter
        )
        self.assertEqual(done.returncode, 0, (done.returncode, done.stderr))
        report = json.loads(done.stdout)
        # It was the kernel, once for each attempt of the two greedy indices.
        self.assertEqual(group.kills(), 3)
        self.assertEqual(report["given_up"], 1)
        self.assertEqual(report["wrong"], 0)
        self.assertEqual(report["lost"], 3)
        self.assertEqual(
            sorted(report["signals"]),
            [[7, 1, signal.SIGKILL], [23, 1, signal.SIGKILL], [23, 2, signal.SIGKILL]],
        )
        self.assertEqual((group.path / "cgroup.procs").read_text(), "")  # nobody is left


class OtherVersion(unittest.TestCase):
    @unittest.skipUnless(
        os.access(NUMA_VM, os.X_OK), f"no numa-vm at {NUMA_VM}; set ARTEL_TEST_NUMA_VM to its path"
    )
    def test_the_other_version_of_control_groups(self):
        if own_group("memory") is None:
            self.skipTest("this machine has version 2 itself, and version 1 is no more to be had")
        script = (
            "mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup; exec python3 -B"
            " -m unittest -v oom_test.OutOfMemory.test_the_greedy_worker_dies_and_nothing_else"
        )
        done = subprocess.run(
            [
                NUMA_VM,
                "--nodes",
                "1",
                "--cpus-per-node",
                "2",
                "--mem-per-node",
                "1G",
                "--timeout",
                "250",
                "--",
                "sh",
                "-c",
                script,
            ],
            capture_output=True,
            text=True,
            timeout=280,
            cwd=pathlib.Path(__file__).parent,
        )
        if done.returncode == 125:
            self.skipTest(f"numa-vm cannot run here: {done.stderr.strip()}")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("... ok", done.stderr)


if __name__ == "__main__":
    unittest.main()
