"""Runs the Python package's tests from the source tree: run_pytest.py PACKAGE_FOLDER LIBRARIES
TOOL. Exit code 77 without pytest."""

import os
import subprocess
import sys

try:
    import pytest  # noqa: F401
except ImportError:
    print("pytest is not installed")
    sys.exit(77)

folder, libraries, tool = (os.path.abspath(word) for word in sys.argv[1:4])
environment = {
    **os.environ,
    "PYTHONPATH": folder,
    "PYTHONDONTWRITEBYTECODE": "1",
    "ARTEL_PYTHON_LIBRARIES": libraries,
    "ARTEL_PYTHON_TOOL": tool,
}
sys.exit(
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            os.path.join(folder, "tests"),
        ],
        env=environment,
        check=False,
    ).returncode
)
