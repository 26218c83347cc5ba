#!/usr/bin/env python3
"""Converts a symmetric matrix from the Harwell-Boeing format (.rsa) to Matrix Market coordinates
(.mtx).

Debian ships real matrices of the Harwell-Boeing collection, but in the collection's own format of
1989: fixed-width FORTRAN columns. The examples read Matrix Market files. Values are written with 17
digits, so nothing is lost.

  hb2mtx.py bcsstk24.rsa bcsstk24.mtx
"""
import re
import sys


def fixed_width(lines, count, form):
    """The first COUNT numbers, as text, from lines laid out by a FORTRAN format such as (12I6) or
    (1P,4E20.13)."""
    match = re.fullmatch(
        r"\((?:\d*P,?)?(\d+)[IEDFG](\d+)(?:\.\d+)?(?:E\d+)?\)", form.strip().upper()
    )
    if not match:
        raise ValueError(f"unknown FORTRAN format {form!r}")
    per_line, width = int(match[1]), int(match[2])
    numbers = []
    while len(numbers) < count:
        line = next(lines, None)
        if line is None:
            raise ValueError(f"the file ends after {len(numbers)} of {count} numbers")
        wanted = min(per_line, count - len(numbers))
        numbers += [line[i * width : (i + 1) * width].strip() for i in range(wanted)]
    return numbers


def read(path):
    """(title, order, [(row, column, value)]) of the lower triangle, rows and columns from 1."""
    with open(path, encoding="ascii", errors="replace") as file:
        lines = iter(file.read().splitlines())
    head = [next(lines, "") for _ in range(4)]
    kind = head[2][:3].upper()
    if kind != "RSA":
        raise ValueError(f"a real symmetric assembled matrix (RSA) is wanted, this is {kind!r}")
    rows, columns, entries, _ = (int(number) for number in head[2][14:70].split())
    if rows != columns:
        raise ValueError(f"{rows} rows and {columns} columns are not symmetric")
    pointer_form, index_form, value_form = head[3][:16], head[3][16:32], head[3][32:52]
    if head[1][56:70].strip() not in ("", "0"):
        next(lines, None)  # describes right-hand sides, which follow the matrix and are not read
    pointers = [int(number) for number in fixed_width(lines, columns + 1, pointer_form)]
    indices = [int(number) for number in fixed_width(lines, entries, index_form)]
    values = [
        float(number.upper().replace("D", "E"))
        for number in fixed_width(lines, entries, value_form)
    ]
    matrix = []
    for column in range(columns):
        for k in range(pointers[column] - 1, pointers[column + 1] - 1):
            matrix.append((indices[k], column + 1, values[k]))
    return head[0][:72].strip(), rows, matrix


def main(arguments):
    if len(arguments) != 2 or arguments[0] in ("-h", "--help"):
        wanted = arguments[:1] in (["-h"], ["--help"])
        print(__doc__.strip(), file=sys.stdout if wanted else sys.stderr)
        return 0 if wanted else 2
    source, target = arguments
    at = source  # what is being used when something goes wrong
    try:
        title, order, matrix = read(source)
        at = target
        with open(target, "w", encoding="ascii") as file:
            file.write("%%MatrixMarket matrix coordinate real symmetric\n")
            file.write(f"% {title}\n")
            file.write(f"{order} {order} {len(matrix)}\n")
            file.writelines(f"{row} {column} {value:.17g}\n" for row, column, value in matrix)
    except (OSError, ValueError, IndexError) as error:
        told = error.strerror if isinstance(error, OSError) else error
        print(f"hb2mtx: {at}: {told}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
