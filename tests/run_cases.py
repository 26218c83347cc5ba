#!/usr/bin/env python3
"""run_cases.py NAME ...: runs unittest's modules, classes or cases of the current folder, as
`python3 -m unittest -v` does. Exit status: 0, 1 when one failed, 77 when all were skipped: then
nothing was tested, which ctest is to say."""
import os
import sys
import unittest


def main():
    sys.path.insert(0, os.getcwd())
    program = unittest.main(module=None, argv=[sys.argv[0], "-v", *sys.argv[1:]], exit=False)
    result = program.result
    if not result.wasSuccessful():
        return 1
    # A class that is skipped as a whole counts as skipped once and runs nothing.
    return 77 if len(result.skipped) >= result.testsRun and result.skipped else 0


if __name__ == "__main__":
    sys.exit(main())
