"""oneTBB: who looks for libtbb.so.12 after artel.patch() gets ours."""

import os

import pytest
from artel import _native

pytestmark = pytest.mark.skipif(
    not any(os.path.exists(os.path.join(folder, _native.TBB)) for folder in _native._folders()),
    reason="the package was built without the oneTBB interface",
)

LOOK = """
import ctypes, os
library = ctypes.CDLL("libtbb.so.12")
files = {os.path.basename(line.split()[-1]) for line in open("/proc/self/maps") if "libtbb" in line and ".so" in line}
print(library.TBB_runtime_interface_version() >= 12080, [f[:12] for f in files])
"""
OURS = "True ['libtbb-artel']\n"


def test_this_process(run):
    assert run("-c", "import artel; artel.patch()" + LOOK).stdout == OURS


def test_processes_started_from_here(run):
    starts = (
        "import artel, subprocess, sys; artel.patch(); subprocess.run([sys.executable, '-c',"
        f" {LOOK!r}], check=True)"
    )
    assert run("-c", starts).stdout == OURS


def test_module_runner(run, tmp_path):
    script = tmp_path / "look.py"
    script.write_text(LOOK)
    assert run("-m", "artel", str(script)).stdout == OURS


def test_names_are_seen_by_nobody_else(run):
    look = (
        "import artel, ctypes; artel.patch(); print(hasattr(ctypes.CDLL(None),"
        " 'TBB_runtime_interface_version'))"
    )
    assert run("-c", look).stdout == "False\n"
