"""What the tests of numpy's OpenBLAS share: the first lines of programs, and their last line."""

import pytest

COMMON = """
import sys, threading
import artel
import numpy as np
if not artel.patch().openblas:
    print("no OpenBLAS of its own"); sys.exit()
random = np.random.default_rng(1)
"""


def last_line(done):
    line = done.stdout.splitlines()[-1]
    if line == "no OpenBLAS of its own":
        pytest.skip("numpy here uses another BLAS")
    return line
