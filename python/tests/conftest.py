"""Runs against an installed package, or a build tree named by ARTEL_PYTHON_LIBRARIES and
ARTEL_PYTHON_TOOL."""

import os
import subprocess
import sys

import pytest


@pytest.fixture
def run():
    """Runs python with these words under a clean environment, with a text as its standard input;
    returns what it did."""

    def start(*words, check=True, text="", **variables):
        kept = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("OMP_", "LD_PRELOAD", "ARTEL_")) or k.startswith("ARTEL_PYTHON_")
        }
        done = subprocess.run(
            [sys.executable, *words],
            capture_output=True,
            text=True,
            input=text,
            timeout=300,
            env={**kept, **variables},
            check=False,
        )
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done

    return start
