"""python -m artel: see _main.py, which is apart so that this module can become the program's."""

from artel import _main

_main.main()
