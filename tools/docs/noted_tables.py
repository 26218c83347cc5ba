"""Tables whose figures were published by others, or noted when they were measured while the run's
own file was not kept. Pure functions of files of bench/results that hold just these figures.

Such a file has `kind`, `command` or `source`, and `tables` by name: `head` and `rows`, where a cell
is a text, a number, null (nothing measured) or a list of these, which `between` joins. With `least
is bold` the lowest number of a row is bold; of a list its first counts. With `digits: 3` numbers
have three of them, also where these are zeros.
"""

import json

from layout import RESULTS, table
from harness.statistics import significant


def text_of(cell, found):
    if cell is None:
        return "–"
    if isinstance(cell, list):
        return found["between"].join(text_of(each, found) for each in cell)
    if isinstance(cell, str):
        return cell
    return significant(cell) if found.get("digits") == 3 else f"{cell:g}"


def lowest_of(row):
    """The index of the lowest number, or None."""
    numbers = {}
    for index, cell in enumerate(row):
        first = cell[0] if isinstance(cell, list) else cell
        if isinstance(first, (int, float)):
            numbers[index] = first
    return min(numbers, key=numbers.get, default=None)


def noted(file, name):
    """The table `name` of one of these files."""
    found = json.loads((RESULTS / file).read_text())["tables"][name]
    rows = []
    for row in found["rows"]:
        cells = [text_of(cell, found) for cell in row]
        lowest = lowest_of(row) if found.get("least is bold") else None
        if lowest is not None:
            cells[lowest] = f"**{cells[lowest]}**"
        rows.append(cells)
    return table([str(cell) for cell in found["head"]], rows)


TABLES = {
    "recursive-opteron": lambda: noted("recursive-published.json", "opteron"),
    "recursive-xeon": lambda: noted("recursive-published.json", "xeon"),
}
MPI_TABLES = {
    "mpi-placement": lambda: noted("mpi-placement-4nodes-2026-11-25.json", "placement"),
    "mpi-rules": lambda: noted("mpi-rules-2cpu-2026-11-26.json", "rules"),
    "mpi-share-results": lambda: noted("mpi-share-results-2cpu-2026-11-22.json", "share-results"),
    "mpi-merge-steps": lambda: noted("mpi-merge-steps-2cpu-2026-11-23.json", "merge-steps"),
    "mpi-around-caches": lambda: noted("mpi-around-caches-2cpu-2026-11-23.json", "around-caches"),
    "mpi-writing": lambda: noted("mpi-writing-2cpu-2026-11-23.json", "writing"),
}
