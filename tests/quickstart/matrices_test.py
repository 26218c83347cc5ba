"""The example that factorizes a matrix, and the conversion of the files that it reads."""

import re
import subprocess
import sys
import unittest

from example_case import BANNER, SOURCE, Example, answer, call


class Factorization(Example):
    def laplacian(self, side):
        """Five-point Laplacian of a square: positive definite, with a known determinant for small
        squares."""
        entries = []
        for i in range(side * side):
            entries.append((i + 1, i + 1, 4))
            if (i + 1) % side:
                entries.append((i + 2, i + 1, -1))
            if i + side < side * side:
                entries.append((i + 1 + side, i + 1, -1))
        lines = "".join(f"{row} {column} {value}\n" for row, column, value in entries)
        return self.file(
            "laplacian.mtx",
            f"{BANNER}% five points\n\n{side * side} {side * side} {len(entries)}\n{lines}",
        )

    def test_known_determinant(self):
        # [[4,-1,-1,0],[-1,4,0,-1],[-1,0,4,-1],[0,-1,-1,4]] has the determinant 192; its logarithm
        # is 5.257495372.
        lines = self.same_answer(
            "cholesky", ["--matrix", self.laplacian(2), "--block", "3", "--shifts", "1"]
        )
        self.assertEqual(lines[1], "result: shift 0 log-determinant 5.257495372e+00")

    def test_variants_blocks_and_threads_agree(self):
        matrix = self.laplacian(13)
        determinants = set()
        for arguments in (
            ["--variant", "loops"],
            ["--variant", "tasks", "--block", "7"],
            ["--variant", "lapack"],
            ["--block", "1", "--outer", "1", "--inner", "1"],
            ["--block", "64", "--outer", "3", "--inner", "3"],
            ["--block", "4096"],
        ):
            done = call("cholesky", "--matrix", matrix, "--shifts", "3", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            determinants.add(tuple(answer(done)[1:]))
        self.assertEqual(len(determinants), 1, determinants)

    def test_values_given_twice_and_upper_triangle(self):
        matrix = self.file(
            "m.mtx", f"{BANNER}2 2 4\n1 1 1\n1 1 3\n1 2 1\n2 2 2\n".replace("2 2 4", "2 2 3", 0)
        )
        self.refused(
            1,
            r".*m\.mtx:2: that many entries do not fit into one triangle",
            "cholesky",
            "--matrix",
            matrix,
        )
        matrix = self.file(
            "m.mtx", f"{BANNER}3 3 5\n1 1 1\n1 1 3\n1 2 1\n2 2 2\n3 3 1\n"
        )  # det of [[4,1],[1,2]] is 7
        lines = self.same_answer("cholesky", ["--matrix", matrix, "--shifts", "1"])
        self.assertEqual(lines[1], "result: shift 0 log-determinant 1.945910149e+00")

    def test_not_positive_definite(self):
        matrix = self.file("m.mtx", f"{BANNER}2 2 3\n1 1 1\n2 1 2\n2 2 1\n")
        self.refused(1, ".*m.mtx is not positive definite .*", "cholesky", "--matrix", matrix)

    def test_malformed_files_name_the_line(self):
        for message, content in (
            ("bad.mtx is empty", ""),
            ("bad.mtx:1: not a Matrix Market file.*", "1 2 3\n"),
            (
                "bad.mtx:1: only sparse matrices are read.*",
                "%%MatrixMarket matrix array real symmetric\n",
            ),
            (
                "bad.mtx:1: only matrices of real or integer.*",
                "%%MatrixMarket matrix coordinate complex symmetric\n",
            ),
            (
                "bad.mtx:1: the matrix has to be stored as symmetric",
                "%%MatrixMarket matrix coordinate real general\n",
            ),
            ("bad.mtx ends before the line with the sizes", BANNER + "% nothing\n"),
            ("bad.mtx:2: this line has to be 'rows columns entries'", BANNER + "2 2\n"),
            ("bad.mtx:3: this line has to be 'rows columns entries'", BANNER + "% x\n2.5 2 1\n"),
            ("bad.mtx:2: more on the line than belongs there", BANNER + "2 2 1 1\n"),
            ("bad.mtx:2: a symmetric matrix has as many rows as columns", BANNER + "2 3 1\n"),
            ("bad.mtx:2: the order has to be from 1 to 1000000", BANNER + "0 0 0\n"),
            ("bad.mtx:2: that many entries do not fit.*", BANNER + "2 2 -1\n"),
            ("bad.mtx:3: an entry has to be 'row column value'", BANNER + "2 2 1\n1 1\n"),
            ("bad.mtx:3: an entry has to be 'row column value'", BANNER + "2 2 1\n1 1 x\n"),
            ("bad.mtx:3: the value is not a finite number", BANNER + "2 2 1\n1 1 nan\n"),
            ("bad.mtx:5: the entry lies outside the matrix", BANNER + "2 2 2\n1 1 1\n%\n3 1 1\n"),
            ("bad.mtx:3: the entry lies outside the matrix", BANNER + "2 2 1\n0 1 1\n"),
            ("bad.mtx:3: more on the line than belongs there", BANNER + "2 2 1\n1 1 1 1\n"),
            ("bad.mtx ends after 1 of 2 entries", BANNER + "2 2 2\n1 1 1\n"),
            ("bad.mtx:4: more entries than .*", BANNER + "2 2 1\n1 1 1\n2 2 1\n"),
        ):
            with self.subTest(message):
                self.refused(
                    1, f".*{message}", "cholesky", "--matrix", self.file("bad.mtx", content)
                )

    def test_bad_command_lines(self):
        self.refused(2, "--matrix FILE is needed.*", "cholesky")
        self.refused(
            2, "--variant wants loops, tasks or lapack, not 'fast'", "cholesky", "--variant", "fast"
        )
        self.refused(
            1,
            "cannot open /no/such.mtx: No such file or directory",
            "cholesky",
            "--matrix",
            "/no/such.mtx",
        )


class Conversion(Example):
    """examples/data/hb2mtx.py"""

    PART = (
        "A SMALL MATRIX".ljust(72) + "KEY".ljust(8) + "\n"
        + "".join(f"{n:14d}" for n in (4, 1, 1, 2, 0)) + "\n"
        + "RSA".ljust(14) + "".join(f"{n:14d}" for n in (3, 3, 5, 0)) + "\n"
        + "(4I4)".ljust(16) + "(5I3)".ljust(16) + "(1P,3D12.4)".ljust(20) + "\n"
        + "   1   3   5   6\n"
        + "  1  2  2  3  3\n"
    )  # fmt: skip
    VALUES = "  4.0000D+00 -1.0000D+00  4.0000D+00\n -1.0000D+00  4.0000D+00\n"

    def convert(self, content):
        target = self.folder / "out.mtx"
        command = [
            sys.executable,
            "-B",
            str(SOURCE / "examples/data/hb2mtx.py"),
            self.file("in.rsa", content),
            str(target),
        ]
        return subprocess.run(command, capture_output=True, text=True, check=False), target

    def test_conversion_and_use(self):
        done, target = self.convert(self.PART + self.VALUES)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = target.read_text(encoding="ascii").splitlines()
        self.assertEqual(
            lines,
            [
                BANNER.strip(),
                "% A SMALL MATRIX",
                "3 3 5",
                "1 1 4",
                "2 1 -1",
                "2 2 4",
                "3 2 -1",
                "3 3 4",
            ],
        )
        result = answer(call("cholesky", "--matrix", str(target), "--shifts", "1"))
        self.assertIn("result: shift 0 log-determinant 4.025351691e+00", result)  # log 56

    def test_bad_files(self):
        for message, content in (
            (
                "the file ends after 3 of 5 numbers",
                self.PART + self.VALUES.split("\n", maxsplit=1)[0] + "\n",
            ),
            ("a real symmetric assembled matrix .* 'RUA'", self.PART.replace("RSA", "RUA")),
            (r"unknown FORTRAN format.*", self.PART.replace("(5I3)", "(*)  ")),
            ("a real symmetric assembled matrix .*", ""),
        ):
            with self.subTest(message):
                done, _ = self.convert(content)
                self.assertEqual(done.returncode, 1)
                self.assertTrue(re.search(message, done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()
