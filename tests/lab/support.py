"""What the tests of `artel lab` share: how one cell is measured, how a lab is run in a folder
that goes away with the test, and what the machine has reserved."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest


TOOL = os.environ.get("ARTEL_TEST_TOOL", "")
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
