#!/usr/bin/env python3
"""What programs that were compiled against the installed headers rely on, compared with
packaging/abi/libartel.so.0.txt: functions of libartel.so.0 that the headers call, with their types,
enumerators in their order, and sizes and members of the classes that the headers define.

clang reads the headers, so nothing has to be built. Exit status: 0, 1 when something differs, 2 on
wrong usage.
"""
from __future__ import annotations

import argparse
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "packaging" / "abi" / "libartel.so.0.txt"
SYMBOLS = ROOT / "packaging" / "debian" / "libartel0.symbols"
CLANG = os.environ.get("ARTEL_TEST_CLANG", "clang++-19")
HEAD = """\
# What compiled programs rely on in libartel.so.0: written by tools/lint/check_abi.py --renew, and
# compared by ./check. Functions that the installed headers call (the name in the library, the
# type), enumerators in their order, and classes that the headers define (size, alignment, offset of
# each member). C names are kept for the life of the soname; the C++ side until the next minor
# version.
"""


def clang(headers: pathlib.Path, *options: str) -> str:
    """Clang's output when it reads all headers of the folder."""
    with tempfile.TemporaryDirectory() as folder:
        probe = pathlib.Path(folder) / "probe.cpp"
        names = sorted(path.relative_to(headers).as_posix() for path in headers.rglob("*.h*"))
        probe.write_text("".join(f"#include <{name}>\n" for name in names))
        words = [
            CLANG,
            "-std=c++20",
            f"-I{headers}",
            "-fsyntax-only",
            *(w for option in options for w in ("-Xclang", option)),
            str(probe),
        ]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"check_abi: {' '.join(words)}\n{done.stderr}")
    return done.stdout


def documents(text: str) -> Iterator[dict]:
    """The JSON values that stand one after another in a text."""
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        while at < len(text) and text[at].isspace():
            at += 1
        if at < len(text):
            value, at = decoder.raw_decode(text, at)
            yield value


def declarations(headers: pathlib.Path) -> list[str]:
    """Functions that are marked ARTEL_API, themselves or their class, and not defined in headers;
    and enumerations."""
    found: set[str] = set()

    def marked(node: dict) -> bool:
        return any(inner.get("kind") == "VisibilityAttr" for inner in node.get("inner", []))

    def walk(node: dict, exported: bool) -> None:
        kind, inner = node.get("kind", ""), node.get("inner", [])
        if kind in ("FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl"):
            defined = (
                any(it.get("kind") == "CompoundStmt" for it in inner)
                or "explicitlyDefaulted" in node
                or node.get("explicitlyDeleted", False)
            )
            if (exported or marked(node)) and not defined and not node.get("isImplicit", False):
                found.add(f"function {node['mangledName']}\n    {node['type']['qualType']}\n")
            return
        if kind == "EnumDecl":
            names = ", ".join(it["name"] for it in inner if it.get("kind") == "EnumConstantDecl")
            if names:
                found.add(f"enum {node.get('name', 'without a name')}\n    {names}\n")
            return
        if kind == "FunctionTemplateDecl":
            return
        for it in inner:
            walk(it, marked(node) if kind == "CXXRecordDecl" else exported)

    for document in documents(clang(headers, "-ast-dump=json", "-ast-dump-filter=artel")):
        walk(document, False)
    return sorted(found)


def records(headers: pathlib.Path) -> list[str]:
    """Our classes that are no templates, with their members; of members that are classes only the
    type."""
    found: set[str] = set()
    for block in clang(headers, "-fdump-record-layouts-complete").split(
        "*** Dumping AST Record Layout\n"
    ):
        lines = block.splitlines()
        first = (
            re.fullmatch(
                r" +0 \| (?:struct|class|union) (artel(?:_\w+|(?:::\w+)+))(?: \(empty\))?", lines[0]
            )
            if lines
            else None
        )
        size = re.search(r"\[sizeof=(\d+),.* align=(\d+)", block)
        if first is None or size is None:
            continue
        members = [re.fullmatch(r" +([\d:-]+) \|   (\S.*)", line) for line in lines[1:]]
        text = "".join(f"    {member[1]:>4} {member[2]}\n" for member in members if member)
        found.add(f"class {first[1]}: size {size[1]}, alignment {size[2]}\n{text}")
    return sorted(found)


def snapshot(headers: pathlib.Path) -> str:
    return HEAD + "\n" + "".join(declarations(headers)) + "\n" + "".join(records(headers))


def differences(kept: str, now: str) -> list[str]:
    """The differences, line by line, for the reader; empty when nothing differs."""
    if kept == now:
        return []
    lines = [
        line
        for line in difflib.unified_diff(
            kept.splitlines(), now.splitlines(), "kept", "these headers", n=3, lineterm=""
        )
    ]
    gone = any(line.startswith("-") and not line.startswith("---") for line in lines)
    advice = (
        "something that compiled programs rely on is gone or changed: they break unless the soname"
        " changes too (C names), or the minor version (the C++ side)"
        if gone
        else "only additions: compiled programs go on as they are"
    )
    return [
        *lines,
        (
            f"{advice}; tools/lint/check_abi.py --renew writes what is now, to be committed with"
            " the reason"
        ),
    ]


def missing(text: str, library: str) -> list[str]:
    """Functions of a snapshot that the library does not export."""
    done = subprocess.run(
        ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True
    )
    exported = {line.split()[-1].split("@")[0] for line in done.stdout.splitlines() if line.strip()}
    return [
        name for name in re.findall(r"^function (\S+)$", text, re.MULTILINE) if name not in exported
    ]


def unlisted(snapshot_text: str, symbols: str) -> list[str]:
    """C functions of the headers that the list of the Debian package does not have."""
    listed = {
        line.split()[0].partition("@")[0]
        for line in symbols.splitlines()
        if line.startswith(" artel_")
    }
    declared = {
        line.split()[1] for line in snapshot_text.splitlines() if line.startswith("function artel_")
    }
    return sorted(declared - listed)


def main() -> int:
    parser = argparse.ArgumentParser(
        usage="check_abi.py [--library FILE] [--renew]",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--library",
        metavar="FILE",
        help="also: the built libartel.so.0 exports every one of the functions",
    )
    parser.add_argument("--renew", action="store_true", help="write the file instead of comparing")
    options = parser.parse_args()
    now = snapshot(ROOT / "include")
    if options.renew:
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text(now)
    kept = KEPT.read_text() if KEPT.exists() else ""
    failed = differences(kept, now)
    failed += [
        f"{SYMBOLS.relative_to(ROOT)} lacks ' {name}@ARTEL_0 VERSION', for a function that a C"
        " header declares"
        for name in unlisted(now, SYMBOLS.read_text())
    ]
    if options.library:
        failed += [
            f"{options.library} does not export {name}, which a header declares"
            for name in missing(now, options.library)
        ]
    for line in failed:
        print(f"check_abi: {line}" if not line.startswith(("+", "-", " ", "@")) else line)
    if not failed:
        print(
            f"check_abi: {now.count(chr(10) + 'function ')} functions,"
            f" {now.count(chr(10) + 'class ')} classes as in {KEPT.relative_to(ROOT)}"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
