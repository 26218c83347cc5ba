#!/usr/bin/env python3
"""Checks that every ARTEL_ environment variable of the project is known to the runtime.

A variable that nobody reads gets a warning in each process, so the project's own must be options,
settings of MPI's collectives, or of one of the families that the runtime leaves to other parts
(src/base/variable_names.cpp). And each of these families has a reader. Macros and variables of
CMake are not looked at."""
from __future__ import annotations

import argparse
import pathlib
import re
import sys

import cpp_text

OPTIONS = ("src/base/options_table.cpp", re.compile(r'^ *\{"\w+", "(ARTEL_\w+)"', re.MULTILINE))
SETTINGS = ("mpi/coll/settings.cpp", re.compile(r'^ *\{"(ARTEL_MPI\w*)"', re.MULTILINE))
FAMILIES = ("src/base/variable_names.cpp", re.compile(r'^ *"(ARTEL_\w+)",', re.MULTILINE))
# Read by CMake's find_package, not by us.
OF_OTHERS = {"ARTEL_ROOT"}
# Names that tests of the warning itself set.
WRONG_ON_PURPOSE = {"ARTEL_NUMTHREADS", "ARTEL_UNHEARD_OF", "ARTEL_MPI_UNHEARD_OF"}
WRONG_ON_PURPOSE |= {"ARTEL_MPI_SETZ"}
C = re.compile(r'env\(\s*"(ARTEL_[A-Z0-9_]+)"')
PYTHON = re.compile(
    r"""environ(?:\.\w+)?[\[(]\s*["'](ARTEL_[A-Z0-9_]+)|["'](ARTEL_[A-Z0-9_]+)["']:"""
    r"""|(?<![\w-])(ARTEL_[A-Z0-9_]+)=(?!=)"""
)
SHELL = re.compile(r"\$\{?(ARTEL_[A-Z0-9_]+)|(?<![\w-])(ARTEL_[A-Z0-9_]+)=")
CMAKE = re.compile(r'(?:["; ]|ENVIRONMENT )(ARTEL_[A-Z0-9_]+)=(?!=)')


def pattern_of(path: pathlib.Path, text: str) -> re.Pattern[str] | None:
    """What reads or sets variables in a file of this kind; None for one that does neither."""
    first = text.split("\n", 1)[0]
    if path.suffix in (".c", ".h", ".cpp", ".hpp"):
        return C
    if path.suffix == ".py" or (first.startswith("#!") and "python" in first):
        return PYTHON
    if first.startswith("#!") and first.rstrip().endswith("sh"):
        return SHELL
    return None


def names_in(path: pathlib.Path, text: str) -> dict[str, int]:
    """The variables of a file with the lines where they are first."""
    if path.name == "CMakeLists.txt" or path.suffix == ".cmake":
        lines = {
            number: line
            for number, line in enumerate(text.split("\n"), start=1)
            if "ENVIRONMENT" in line
        }
        pattern: re.Pattern[str] | None = CMAKE
    else:
        lines = dict(enumerate(text.split("\n"), start=1))
        pattern = pattern_of(path, text)
    found: dict[str, int] = {}
    for number, line in lines.items():
        for match in pattern.finditer(line) if pattern else ():
            found.setdefault(next(name for name in match.groups() if name), number)
    return found


def table(root: pathlib.Path, source: tuple[str, re.Pattern[str]]) -> set[str]:
    return set(source[1].findall((root / source[0]).read_text()))


def is_of(name: str, families: set[str]) -> str | None:
    """The family of a name, or None."""
    for family in families:
        if name.startswith(family) if family.endswith("_") else name == family:
            return family
    return None


def judge(
    used: dict[str, str], options: set[str], settings: set[str], families: set[str]
) -> list[str]:
    """What is wrong; `used` tells where each variable is."""
    problems = []
    for name, where in used.items():
        if name in options or name in settings or name in WRONG_ON_PURPOSE:
            continue
        family = is_of(name, families)
        if family is None or family == "ARTEL_MPI_":
            problems.append(
                f"{where}: {name} is neither an option nor of a family in {FAMILIES[0]}"
            )
    served = {is_of(name, families) for name in set(used) | settings}
    for family in sorted(families - served - OF_OTHERS):
        problems.append(f"{FAMILIES[0]}: nothing reads {family}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument(
        "--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2]
    )
    root = parser.parse_args().root.resolve()
    used: dict[str, str] = {}
    for path in cpp_text.tracked_files(root, []):
        name = path.relative_to(root).as_posix()
        if name.startswith(("bench/results/", "docs/", "tools/lint/")):
            continue
        try:
            text = path.read_text()
        except UnicodeDecodeError:
            continue
        for variable, number in names_in(path, text).items():
            used.setdefault(variable, f"{name}:{number}")
    problems = judge(used, table(root, OPTIONS), table(root, SETTINGS), table(root, FAMILIES))
    print("\n".join(problems + [f"{len(used)} variables, {len(problems)} unknown"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
