#!/usr/bin/env python3
"""Checks that every atomic access names its memory order and that a comment says why that order is
right.

Checked: src, include, facades, mpi, tools; not tests and models beside the code, which have no
protocol of their own.

1. No implicit order: load(), store(x), exchange(x), fetch_*(x), test_and_set() and
compare_exchange_*(a, b) need one more
   argument, and no operator (++, +=, =) is used on a variable that the file or its header declares
   std::atomic.
2. Every site that names an order (std::memory_order_*, __ATOMIC_*, and each call of
base::full_fence()) has a comment: on the
   same line, within its statement, or in the comment block right above the statement. A comment
   also covers directly following
   statements that are sites themselves (a paragraph), and one above a function covers the site that
   opens its body. A comment
   that says so covers all further sites of its order in the function: "relaxed, all: ...", "acquire
   (both): ...",
   "relaxed, here and below: ...", "relaxed (three loads): ...", "throughout".

`// lint: not atomic` on the line excuses an access that only looks like an atomic's.
"""
from __future__ import annotations

import argparse
import pathlib
import re
import sys

import cpp_text

FOLDERS = ["src", "include", "facades", "mpi", "tools"]
SUFFIXES = (".hpp", ".cpp", ".h", ".c")
EXEMPT = re.compile(r"_(test|model|bench)\.[ch]pp$|/tests?/")
ORDER = re.compile(
    r"\bmemory_order(?:_|::)(relaxed|consume|acquire|release|acq_rel|seq_cst)\b|\b__ATOMIC_(RELAXED|CONSUME|ACQUIRE|RELEASE|ACQ_REL|SEQ_CST)\b"
)
FENCE_CALL = re.compile(r"\bfull_fence\s*\(\s*\)\s*;")
ACCESS = re.compile(
    r"(?:\.|->)\s*(load|store|exchange|compare_exchange_weak|compare_exchange_strong|fetch_(?:add|sub|and|or|xor)|test_and_set)\s*\("
)
LEAST_ARGUMENTS = {
    "load": 1,
    "test_and_set": 1,
    "compare_exchange_weak": 3,
    "compare_exchange_strong": 3,
}  # the rest: 2
ATOMIC_NAME = re.compile(r"\bstd::atomic(?:_\w+)?\s*(?:<[^;{}()\[\]]*>)?\s+(\w+)\s*(?=[;{=,)\[])")
EXCUSE = "lint: not atomic"


def atomic_names(text: str) -> set[str]:
    """Names that are declared std::atomic, without those that something else has, too."""
    names = ATOMIC_NAME.findall(text)
    return {
        name
        for name in set(names)
        if len(re.findall(rf"[\w>&*]\s+{name}\s*[;={{\[]", text)) <= names.count(name)
    }


def arguments(text: str, start: int) -> list[str]:
    """The top-level arguments of a call whose opening parenthesis is text[start - 1]."""
    depth, found, current = 0, [], []
    for c in text[start:]:
        if c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                break
            depth -= 1
        if c == "," and depth == 0:
            found.append("".join(current))
            current = []
        else:
            current.append(c)
    found.append("".join(current))
    return [argument for argument in found if argument.strip()]


def implicit_orders(source: cpp_text.Source, names: set[str]) -> list[tuple[int, str]]:
    """(line index, message) of accesses without a named order."""
    text = "\n".join(source.code)
    found = []
    for match in ACCESS.finditer(text):
        least = LEAST_ARGUMENTS.get(match[1], 2)
        if len(arguments(text, match.end())) < least:
            found.append((text.count("\n", 0, match.start()), f"{match[1]} without a memory order"))
    if names:
        alternatives = "|".join(sorted(names))
        operators = re.compile(
            rf"(?:\+\+|--)\s*(?:\w+(?:\.|->))*({alternatives})\b(?!\s*[.\[(]|->)"
            rf"|(?<![\w>*&\]])(?:^|[;{{}}(]|\n)\s*(?:\w+(?:\.|->))*({alternatives})\s*(?:\+\+|--|[-+&|^]?=(?!=))"
        )
        for match in operators.finditer(text):
            group = 1 if match[1] else 2
            name = match[group]
            found.append(
                (
                    text.count("\n", 0, match.start(group)),
                    f"operator on atomic {name} hides a seq_cst order",
                )
            )
    return [(line, message) for line, message in found if EXCUSE not in source.comments[line]]


def statement_start(source: cpp_text.Source, line: int) -> int:
    """The first line of the statement that reaches into `line`."""
    while line > 0 and source.has_code(line - 1):
        before = source.code[line - 1].rstrip()
        if before.endswith((";", "{", "}", ":")) or before.lstrip().startswith(("#", "template")):
            break
        line -= 1
    return line


def statement_end(source: cpp_text.Source, line: int) -> int:
    while line + 1 < len(source.code) and source.has_code(line):
        if source.code[line].rstrip().endswith((";", "{", "}")):
            break
        line += 1
    return line


def opens_body(source: cpp_text.Source, line: int) -> int | None:
    """If the statement at `line` is the first of a block, the line where the block's header starts;
    else None."""
    above = line - 1
    if above < 0 or not source.code[above].rstrip().endswith("{"):
        return None
    if source.code[above].strip() == "{":
        above -= 1
    start = statement_start(source, max(above, 0))
    while start > 0 and source.code[start - 1].lstrip().startswith("template"):
        start -= 1
    return start


def is_site(source: cpp_text.Source, first: int, last: int) -> bool:
    text = "\n".join(source.code[first : last + 1])
    return bool(ORDER.search(text) or FENCE_CALL.search(text))


def is_commented(source: cpp_text.Source, line: int) -> bool:
    if source.comments[line].strip():
        return True
    first = statement_start(source, line)
    if any(source.comments[i].strip() for i in range(first, statement_end(source, line) + 1)):
        return True
    while True:
        if first == 0:
            return False
        above = first - 1
        if not source.has_code(above):
            return bool(source.comments[above].strip())
        header = opens_body(source, first)
        if header is not None and header < first:
            if any(source.comments[i].strip() for i in range(header, first)):
                return True
            return (
                header > 0
                and not source.has_code(header - 1)
                and bool(source.comments[header - 1].strip())
            )
        previous = statement_start(source, above)
        if not is_site(source, previous, above):
            return False
        if any(source.comments[i].strip() for i in range(previous, first)):
            return True
        first = previous


def is_covered_from_above(source: cpp_text.Source, line: int, order: str) -> bool:
    """Whether an earlier comment in the same function covers all its sites of this order."""
    scope = re.compile(
        rf"\b{order}\b\s*[,(]\s*(all|both|two|three|four|five|six|here and below|throughout)\b"
    )
    for i in range(line, -1, -1):
        if scope.search(source.comments[i]):
            return True
        if i < line and source.code[i].startswith("}"):
            return False
    return False


def uncommented(source: cpp_text.Source) -> list[tuple[int, str]]:
    found = []
    for line, code in enumerate(source.code):
        match = ORDER.search(code) or FENCE_CALL.search(code)
        if not match or is_commented(source, line):
            continue
        order = (match[1] or match[2].lower()) if match.re is ORDER else "seq_cst"
        if not is_covered_from_above(source, line, order):
            found.append((line, f"{match.group().rstrip('; ')} without a comment that says why"))
    return found


def check_file(path: pathlib.Path) -> list[tuple[int, str]]:
    source = cpp_text.read(path)
    text = "\n".join(source.code)
    header = path.with_suffix(".hpp")
    if path.suffix == ".cpp" and header.is_file():
        text += "\n" + "\n".join(cpp_text.read(header).code)
    return sorted(implicit_orders(source, atomic_names(text)) + uncommented(source))


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2]
    )
    root = parser.parse_args().root.resolve()
    files = [
        p
        for p in cpp_text.tracked_files(root, FOLDERS, SUFFIXES)
        if not EXEMPT.search(p.relative_to(root).as_posix())
    ]
    count = sites = 0
    for path in files:
        sites += sum(bool(ORDER.search(code)) for code in cpp_text.read(path).code)
        for line, message in check_file(path):
            print(f"{path.relative_to(root)}:{line + 1}: {message}")
            count += 1
    print(f"{len(files)} files, {sites} lines that name a memory order, {count} problems")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
