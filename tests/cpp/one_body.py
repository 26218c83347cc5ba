"""The body of a loop is compiled once, whoever runs it: compiled twice, one of them may be
vectorised worse than the other.

usage: one_body.py INCLUDE_FOLDER COMPILER...
"""

import os
import subprocess
import sys

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "one_body.cpp")
LOOPS = ("over_indices", "with_equal_shares", "over_blocks")


def main(include, *compilers):
    wrong = 0
    for compiler in compilers:
        for options in (["-O2"], ["-O3"], ["-O3", "-march=x86-64-v3"]):
            assembly = subprocess.run(
                [compiler, "-std=c++20", "-I", include, *options, "-S", SOURCE, "-o", "-"],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            for loop in LOOPS:
                times = assembly.count(f"# body of {loop}\n")
                if times != 1:
                    print(
                        f"{compiler} {' '.join(options)}: the body of {loop} is there {times} times"
                    )
                    wrong += 1
    print(f"{len(compilers)} compilers, {wrong} bodies not there once")
    return 1 if wrong or not compilers else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
