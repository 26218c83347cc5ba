"""The `artel` command of the package."""

from __future__ import annotations

import os
import sys

from . import _native


def tool() -> str:
    """The file of the command. Raises ArtelError where there is none."""
    named = os.environ.get("ARTEL_PYTHON_TOOL")
    path = named or os.path.join(
        os.path.dirname(os.path.abspath(__file__)), "_data", "bin", "artel"
    )
    if not os.path.exists(path):
        raise _native.ArtelError(f"the command is missing: {path}")
    return path


def main() -> None:
    try:
        path = tool()
        os.execv(path, [path, *sys.argv[1:]])
    except _native.ArtelError as error:
        sys.exit(f"artel: {error}")
