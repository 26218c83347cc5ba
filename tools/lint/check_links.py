#!/usr/bin/env python3
"""Checks that what the Markdown files point at exists: relative links, anchors, and paths of this
repository in backticks; and that every page in docs/ is in mkdocs.yml and in the list of its folder
(docs/README.md, or the README beside it). mkdocs 1.4 only mentions a page that its list lacks."""
from __future__ import annotations

import argparse
import pathlib
import re
import sys

import cpp_text

LINK = re.compile(
    r"(?<!!)\[[^\]\n]*\]\(([^()\s]+(?:\([^()\s]*\))?)(?:\s+\"[^\"]*\")?\)|!\[[^\]\n]*\]\(([^()\s]+)\)"
)
DEFINITION = re.compile(r"^\s{0,3}\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
CODE_PATH = re.compile(
    r"`((?:src|include|facades|mpi|tools|tests|docs|packaging|cmake|examples|bench)/[\w./-]*)`"
)
FENCE = re.compile(r"^\s*(```|~~~)")


def prose(text: str) -> list[str]:
    """The lines with fenced code blocks emptied."""
    lines, fenced = [], False
    for line in text.split("\n"):
        if FENCE.match(line):
            fenced = not fenced
            lines.append("")
        else:
            lines.append("" if fenced else line)
    return lines


def slug(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    heading = re.sub(r"[`*]", "", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", heading).replace(" ", "-")


def anchors(path: pathlib.Path) -> set[str]:
    found: set[str] = set()
    for line in prose(path.read_text(encoding="utf-8")):
        match = HEADING.match(line)
        if match:
            name, count = slug(match[1]), 0
            while (name if count == 0 else f"{name}-{count}") in found:
                count += 1
            found.add(name if count == 0 else f"{name}-{count}")
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
    return found


def check_file(root: pathlib.Path, path: pathlib.Path) -> list[str]:
    problems = []
    for number, line in enumerate(prose(path.read_text(encoding="utf-8")), start=1):
        where = f"{path.relative_to(root)}:{number}"
        without_code = re.sub(r"`[^`]*`", "", line)
        targets = [a or b for a, b in LINK.findall(without_code)] + DEFINITION.findall(without_code)
        for target in targets:
            if re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue  # another site; asking it would make the check depend on the network
            name, _, anchor = target.partition("#")
            file = (path.parent / name).resolve() if name else path
            if not file.exists():
                problems.append(f"{where}: no such file: {target}")
            elif anchor and file.suffix == ".md" and anchor not in anchors(file):
                problems.append(f"{where}: no such heading: {target}")
        # The changelog may name files that no longer exist.
        if path.name != "CHANGELOG.md":
            problems += [
                f"{where}: no such path: {name}"
                for name in CODE_PATH.findall(line)
                if not (root / name).exists()
            ]
    return problems


def unlisted(root: pathlib.Path) -> list[str]:
    """Pages in docs/ that somebody who goes by the lists never sees."""
    navigation = (root / "mkdocs.yml").read_text(encoding="utf-8")
    pages = set(re.findall(r"^\s*- (?:[^:\n]*: )?(\S+\.md)$", navigation, re.MULTILINE))
    problems = []
    for path in sorted((root / "docs").rglob("*.md")):
        name = path.relative_to(root / "docs").as_posix()
        if name not in pages:
            problems.append(f"mkdocs.yml: its nav lacks {name}")
        of = path.parent if path.name != "README.md" else path.parent.parent
        index = of / "README.md"
        if of == root or not index.exists():
            continue
        targets = [a or b for a, b in LINK.findall(index.read_text(encoding="utf-8"))]
        if path.relative_to(of).as_posix() not in targets:
            problems.append(f"{index.relative_to(root)}: lacks {name}")
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2]
    )
    root = parser.parse_args().root.resolve()
    files = cpp_text.tracked_files(root, [], (".md",))
    problems = [problem for path in files for problem in check_file(root, path)]
    problems += unlisted(root)
    print("\n".join(problems + [f"{len(files)} Markdown files, {len(problems)} mistakes in links"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
