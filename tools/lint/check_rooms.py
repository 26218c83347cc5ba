#!/usr/bin/env python3
"""Checks that every room, a folder with files of its own, says what lives in it.

A folder with MANY files or more has a README.md. A smaller one may leave that to the README.md of a
folder above it, which then names it: `name`, `name/`, or a link that leads there."""
from __future__ import annotations

import argparse
import collections
import pathlib
import re
import sys

import cpp_text

MANY = 10
FOLDERS = [
    "src",
    "include",
    "facades",
    "mpi",
    "cpt",
    "lab",
    "tools",
    "cmake",
    "packaging",
    "python",
    "examples",
    "bench",
    "tests",
    "docs",
]
# Folders whose files need no explanation, or are explained in a folder below
# (include/artel/README.md).
EXCEPT = re.compile(r"^(include|docs/man|bench/results.*|packaging/debian/source|.*/several)$")


def rooms(root: pathlib.Path) -> dict[str, int]:
    """The folders with files, and how many those are."""
    return collections.Counter(
        path.relative_to(root).parent.as_posix()
        for path in cpp_text.tracked_files(root, FOLDERS)
        if not path.name.endswith("README.md")
    )


def names_it(text: str, folder: pathlib.PurePosixPath) -> bool:
    """Whether a README above names the folder by its last part."""
    name = re.escape(folder.name)
    return (
        re.search(
            rf"`[^`\n]*(?<![\w-]){name}(?![\w-])[^`\n]*`|\]\([^)\n]*(?<![\w-]){name}(?![\w-])"
            rf"|\b{name}/",
            text,
        )
        is not None
    )


def check(root: pathlib.Path) -> tuple[int, list[str]]:
    problems = []
    found = rooms(root)
    for name, count in sorted(found.items()):
        folder = pathlib.PurePosixPath(name)
        if EXCEPT.match(name) or (root / folder / "README.md").is_file():
            continue
        if count >= MANY:
            problems.append(f"{name}: {count} files and no README.md that says what lives there")
            continue
        above = [root / p / "README.md" for p in folder.parents]
        if not any(p.is_file() and names_it(p.read_text(encoding="utf-8"), folder) for p in above):
            problems.append(f"{name}: no README.md, and none above it names `{folder.name}`")
    return len(found), problems


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2]
    )
    count, problems = check(parser.parse_args().root.resolve())
    print("\n".join(problems + [f"{count} rooms, {len(problems)} that nobody describes"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
