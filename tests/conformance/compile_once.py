#!/usr/bin/env python3
"""compile_once.py CACHE COMPILER ARGUMENTS...: runs the compiler, or takes the program that the
same command made before out of CACHE. So a suite that compiles each test just before running it is
compiled once for all the ways in which it is run."""
import hashlib
import os
import shutil
import subprocess
import sys


def main():
    cache, command = sys.argv[1], sys.argv[2:]
    if "-o" not in command:
        sys.exit(subprocess.call(command))
    at = command.index("-o") + 1
    output = command[at]
    key = hashlib.sha256()
    # What depends on the folder of the run is no part of the program, but for libraries and
    # objects, which are told by their contents.
    for word in command[:at] + command[at + 1 :]:
        key.update((os.path.basename(word) if os.path.isabs(word) else word).encode() + b"\0")
        if os.path.isfile(word) and os.path.isabs(word):
            with open(word, "rb") as f:
                key.update(f.read())
    kept = os.path.join(cache, key.hexdigest())
    if not os.path.exists(kept):
        status = subprocess.call(command)
        if status != 0:
            sys.exit(status)
        part = f"{kept}.{os.getpid()}"
        shutil.copy2(output, part)
        os.rename(part, kept)
        return
    if os.path.lexists(output):
        os.unlink(output)
    try:
        os.link(kept, output)
    except OSError:
        shutil.copy2(kept, output)


if __name__ == "__main__":
    main()
