"""oneTBB: who looks for libtbb.so.12 after artel.patch() gets ours."""

import os

import pytest
from artel import _native

pytestmark = pytest.mark.skipif(
    not any(os.path.exists(os.path.join(folder, _native.TBB)) for folder in _native._folders()),
    reason="the package was built without the oneTBB interface",
)

LOOK = """
import ctypes
from artel import _native
library = ctypes.CDLL("libtbb.so.12")
files = [file for file in _native.loaded_files() if "libtbb" in file]
print(library.TBB_runtime_interface_version() >= 12080, [_native.is_ours(file) for file in files])
"""
OURS = "True [True]\n"


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
