#!/usr/bin/env python3
"""Checks over #include lines that dependencies point down only.

    base < topology, fiber < sched, process < loop, foreign < capi < facades, mpi, tools, bench,
    lab, cpt

Layers of one rank do not include each other, nor do facades. Headers in include/ see only each
other, because nothing else is installed. Operating-system headers that tie code to Linux stay in
src/base/os. Tests beside the code obey their layer. Within facades/openmp and mpi the same holds
for their rooms (ROOMS below). Upward calls go through a hook that the upper layer registers.

A file that tests whether a macro is defined which one of our headers may define (MACROS below)
includes that header: without it the macro would silently count as not defined."""
from __future__ import annotations

import argparse
import pathlib
import re
import sys

import cpp_text

RANKS = [["base"], ["topology", "fiber"], ["sched", "process"], ["loop", "foreign"], ["capi"]]
RANK_OF = {name: rank for rank, names in enumerate(RANKS) for name in names}
TOP = len(RANKS)  # facades, mpi, tools, bench, cpt, lab: all of src below them
# The rooms of a facade or of mpi, the lowest first. A folder below a room belongs to it unless it
# is named itself.
ROOMS = {
    "facades/openmp": [
        ["linking"],
        ["waiting", "ompt/interface"],
        ["settings"],
        ["team"],
        ["ompt/events", "blas"],
        ["worksharing"],
        ["tasking"],
        ["regions"],
        ["ompt/entries"],
        ["abi"],
        ["abi/gomp", "abi/kmp", "abi/omp"],
    ],
    "mpi": [["shm"], ["coll"], ["shim"], ["ompi"]],
}
MACROS = {
    "ARTEL_ASAN": ("fiber/sanitizer.hpp", "fiber/switch.hpp"),
    "ARTEL_TSAN": ("fiber/sanitizer.hpp", "fiber/switch.hpp"),
}
CONDITION = re.compile(r"^\s*#\s*(?:el)?if")
SUFFIXES = (".hpp", ".cpp", ".h", ".c")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# Programs as users write them: only what is installed.
PUBLIC_ONLY = ("examples", "tests/consumer")
OS_HEADERS = re.compile(r"^(linux|asm)/|^sys/(syscall|prctl|epoll|eventfd)\.h$")


def unit_of(relative: pathlib.PurePosixPath) -> str:
    """The unit whose dependencies are checked: a layer, "include", "facades/x", or the top
    folder."""
    parts = relative.parts
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[0] == "facades" and len(parts) > 2:
        return "/".join(parts[:2])
    for folder in PUBLIC_ONLY:
        if str(relative).startswith(folder + "/"):
            return folder
    return parts[0]


def resolve(
    root: pathlib.Path, source: pathlib.Path, name: str, quoted: bool
) -> pathlib.PurePosixPath | None:
    """The file of this repository that an #include names, relative to the root; None for a foreign
    header."""
    places = [root / "include"]
    if quoted:
        # The folder of the facade or top folder itself: "team/team.hpp" in facades/openmp.
        part = root / unit_of(pathlib.PurePosixPath(source.relative_to(root).as_posix()))
        places = [source.parent, root / "src", part, root, root / "facades", root / "include"]
    for place in places:
        candidate = (place / name).resolve()
        if candidate.is_file() and candidate.is_relative_to(root):
            return pathlib.PurePosixPath(candidate.relative_to(root).as_posix())
    return None


def judge(user: str, used: str) -> str | None:
    """Why `user` may not include from `used`, or None when it may."""
    if user == used or used == "include":
        return None
    if user == "include":
        return "an installed header may include only installed headers"
    if user in PUBLIC_ONLY:
        return "programs for users may include only what is installed"
    if used.startswith("facades/"):
        if user.startswith("facades/"):
            return "facades never include each other"
        if user in RANK_OF:
            return f"{user} lies below the facades"
        return None
    if user in RANK_OF:
        if used not in RANK_OF:
            return f"{user} lies below {used}"
        if RANK_OF[used] > RANK_OF[user]:
            return f"{user} lies below {used}"
        if RANK_OF[used] == RANK_OF[user]:
            return f"{user} and {used} are of one rank"
    return None


def room_of(facade: str, relative: pathlib.PurePosixPath) -> tuple[str, int | None]:
    """The room of a file of such a part and its rank; the folder and None where it is in no
    room."""
    rank_of = {name: rank for rank, names in enumerate(ROOMS[facade]) for name in names}
    folder = relative.parent.relative_to(facade)
    for candidate in (folder, *folder.parents):
        if candidate.as_posix() in rank_of:
            return candidate.as_posix(), rank_of[candidate.as_posix()]
    return folder.as_posix(), None


def judge_rooms(relative: pathlib.PurePosixPath, target: pathlib.PurePosixPath) -> str | None:
    """Why a file may not include another of the same part, or None when it may."""
    facade = unit_of(relative)
    if facade not in ROOMS or unit_of(target) != facade:
        return None
    (user, user_rank), (used, used_rank) = room_of(facade, relative), room_of(facade, target)
    if user_rank is None or used_rank is None:
        return f"{user if user_rank is None else used} is no room of {facade}"
    if user == used or used_rank < user_rank:
        return None
    return (
        f"{user} and {used} are of one rank"
        if user_rank == used_rank
        else f"{user} lies below {used}"
    )


def check_file(root: pathlib.Path, path: pathlib.Path) -> list[str]:
    relative = pathlib.PurePosixPath(path.relative_to(root).as_posix())
    user = unit_of(relative)
    source = cpp_text.read(path)
    problems = []
    for number, (raw, code) in enumerate(zip(source.raw, source.code), start=1):
        match = INCLUDE.match(raw)
        if not match or "include" not in code:  # the second: a commented-out line
            continue
        quoted, name = match[1] == '"', match[2]
        target = resolve(root, path, name, quoted)
        if target is None:
            if quoted and name.split("/")[0] in RANK_OF:
                problems.append(f"{relative}:{number}: no such file: {name}")
            elif (
                user in RANK_OF
                and not str(relative).startswith("src/base/os/")
                and OS_HEADERS.search(name)
            ):
                problems.append(f"{relative}:{number}: <{name}> belongs into src/base/os")
            continue
        reason = judge(user, unit_of(target)) or judge_rooms(relative, target)
        if reason:
            problems.append(f"{relative}:{number}: includes {target}: {reason}")
    return problems


def check_macros(path: pathlib.Path, relative: str) -> list[str]:
    source = cpp_text.read(path)
    included = {match[2] for raw in source.raw if (match := INCLUDE.match(raw))}
    problems = []
    for number, code in enumerate(source.code, start=1):
        for macro, headers in MACROS.items():
            if (
                CONDITION.match(code)
                and re.search(rf"\b{macro}\b", code)
                and relative.removeprefix("src/") not in headers
                and not included.intersection(headers)
            ):
                problems.append(
                    f"{relative}:{number}: asks for {macro} and does not include {headers[0]}"
                )
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2]
    )
    root = parser.parse_args().root.resolve()
    files = cpp_text.tracked_files(root, [], SUFFIXES)
    problems = [problem for path in files for problem in check_file(root, path)]
    for path in files:
        problems += check_macros(path, path.relative_to(root).as_posix())
    print(
        "\n".join(
            problems
            + [f"{len(files)} files, {len(problems)} includes and conditions against the rules"]
        )
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
