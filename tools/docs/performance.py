#!/usr/bin/env python3
"""Writes the tables of docs/performance.md and docs/mpi-performance.md and the picture of the
README from bench/results.

usage: tools/docs/performance.py [--check]

A table stands between the lines `<!-- table NAME: made by tools/docs/performance.py -->` and `<!--
end of NAME -->`. With --check nothing is written; exit status 1 when a table or the picture is not
what the results say, a page has a table that no script writes, or a file of bench/results has more
than 60 000 bytes; 0 otherwise."""
import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import layout  # noqa: E402
import mpi_tables  # noqa: E402
import noted_tables  # noqa: E402
import picture  # noqa: E402
import scaling_tables  # noqa: E402
import tables  # noqa: E402

PAGES = {
    layout.ROOT / "docs/performance.md": tables.TABLES,
    layout.ROOT
    / "docs/mpi-performance.md": {
        **mpi_tables.TABLES,
        **scaling_tables.MPI_TABLES,
        **noted_tables.MPI_TABLES,
    },
}
PICTURE = layout.ROOT / "docs/nested.svg"
PART = re.compile(
    r"(<!-- table (\S+): made by tools/docs/performance\.py -->\n).*?(<!-- end of \2 -->\n)",
    re.DOTALL,
)
# A row of a table: all begin with a bar here; the line below a heading may do without.
ROW = re.compile(r"^ {0,3}(\||:?-+:? *\|)")
LARGEST = 60_000


def filled(text, made):
    """The text of a page with its tables as the results say.

    `made`: the functions that make them, by name.
    """

    def one(match):
        if match[2] not in made:
            sys.exit(f"no table '{match[2]}' (there are {', '.join(made)})")
        return f"{match[1]}\n{made[match[2]]()}\n{match[3]}"

    return PART.sub(one, text)


def by_hand(text):
    """The numbers of lines that belong to a table but stand outside of the markers."""
    rest = PART.sub(lambda match: "\n" * match[0].count("\n"), text)
    found, code = [], False
    for number, line in enumerate(rest.split("\n"), start=1):
        if line.lstrip().startswith(("```", "~~~")):
            code = not code
        elif not code and ROW.match(line):
            found.append(number)
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing, say what differs")
    check = parser.parse_args().check
    problems = []
    wanted_pages = [(page, filled(page.read_text(), made)) for page, made in PAGES.items()]
    for path, wanted in (*wanted_pages, (PICTURE, picture.nested())):
        if path.exists() and path.read_text() == wanted:
            continue
        problems.append(
            f"{path.relative_to(layout.ROOT)} is not what bench/results says; run"
            " tools/docs/performance.py"
        )
        if not check:
            path.write_text(wanted)
            print(f"wrote {path.relative_to(layout.ROOT)}")
    missing = [
        f"{page.relative_to(layout.ROOT)} does not show table '{name}'"
        for page, made in PAGES.items()
        for name in made
        if f"<!-- table {name}:" not in page.read_text()
    ]
    typed = [
        f"{page.relative_to(layout.ROOT)}:{number}: a row of a table that no script writes; put its"
        " figures into bench/results"
        for page in PAGES
        for number in by_hand(page.read_text())
    ]
    large = [
        f"bench/results/{path.name} has {path.stat().st_size} bytes; bench/summarise makes it"
        " smaller"
        for path in sorted(layout.RESULTS.iterdir())
        if path.stat().st_size > LARGEST
    ]
    lasting = missing + typed + large
    print(
        "\n".join((problems if check else []) + lasting)
        or "pages and picture: as bench/results says"
    )
    return 1 if lasting or (check and problems) else 0


if __name__ == "__main__":
    sys.exit(main())
