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
    if not result.testsRun and not result.skipped:
        print("there is no such test", file=sys.stderr)
        return 1
    # Where a class is skipped as a whole it stands for its tests, which do not run.
    skipped = {
        test.id()
        for test, _ in result.skipped
        if isinstance(test, unittest.TestCase) and not isinstance(test, unittest.case._SubTest)
    }
    return 77 if result.testsRun == len(skipped) else 0


if __name__ == "__main__":
    sys.exit(main())
