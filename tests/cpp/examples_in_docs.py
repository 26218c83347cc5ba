#!/usr/bin/env python3
"""Keeps the code blocks of docs/cpp-api.md equal to the marked regions of *_examples_test.cpp.

    examples_in_docs.py            fails, naming them, if blocks differ
    examples_in_docs.py --update   rewrites the blocks
"""
import pathlib
import re
import sys
import textwrap

here = pathlib.Path(__file__).resolve().parent
page = here.parent.parent / "docs" / "cpp-api.md"
sources = sorted(here.glob("*_examples_test.cpp"))


def regions(text):
    """The text between each pair of markers, by name, with the common indentation removed."""
    found = {}
    for match in re.finditer(r"^ *// \[(\w+)\]\n(.*?)^ *// \[/\1\]\n", text, re.S | re.M):
        found[match[1]] = textwrap.dedent(match[2])
    return found


def main():
    if sys.argv[1:] in (["--help"], ["-h"]):
        print(__doc__.strip())
        return
    if sys.argv[1:] not in ([], ["--update"]):
        print(f"examples_in_docs: --update or nothing, not {sys.argv[1:]}", file=sys.stderr)
        sys.exit(2)
    code = {}
    for source in sources:
        code.update(regions(source.read_text()))
    names = ", ".join(source.name for source in sources)
    used, differing = set(), []

    def replace(match):
        name = match[1]
        if name not in code:
            sys.exit(f"{page}: there is no region [{name}] in {names}")
        used.add(name)
        if match[2] != code[name]:
            differing.append(name)
        return f"<!-- example: {name} -->\n```cpp\n{code[name]}```\n"

    old = page.read_text()
    new = re.sub(r"<!-- example: (\w+) -->\n```cpp\n(.*?)```\n", replace, old, flags=re.S)
    unused = sorted(set(code) - used)
    if unused:
        sys.exit(f"{names}: regions that no page shows: {', '.join(unused)}")
    if sys.argv[1:]:
        page.write_text(new)
    elif differing:
        sys.exit(
            f"{page.name} shows other code than {names} have: {', '.join(differing)}. Run"
            f" {pathlib.Path(__file__).name} --update."
        )


if __name__ == "__main__":
    main()
