"""The example programs under the stock runtime: known answers, the same answer whatever the
threads, bad input."""

import pathlib
import unittest

from example_case import Example, call


class CommandLines(Example):
    def test_help(self):
        for name in ("ensemble", "pyramid", "cholesky", "queens", "mergesort"):
            with self.subTest(name):
                done = call(name, "--help")
                self.assertEqual(done.returncode, 0)
                self.assertTrue(done.stdout.startswith(f"usage: {name} "))

    def test_bad_values(self):
        self.refused(
            2, "--size wants a whole number from 1 to 20, not '21'", "queens", "--size", "21"
        )
        self.refused(2, "--steps wants a whole number .*, not '1x'", "ensemble", "--steps", "1x")
        self.refused(2, "--cutoff wants a whole number .*, not ''", "mergesort", "--cutoff", "")
        self.refused(2, "unexpected argument 'picture.ppm'.*", "pyramid", "picture.ppm")
        self.assertEqual(call("queens", "--nonsense").returncode, 2)


class Answers(Example):
    def test_ensemble(self):
        size = ("--size", "16", "--steps", "10", "--members", "3")
        self.same_answer(
            "ensemble",
            [*size, "--outer", "1", "--inner", "1"],
            size,
            [*size, "--outer", "3", "--inner", "5"],
        )

    def test_pyramid(self):
        rings = ("--passes", "1", "--batch", "2")
        self.same_answer(
            "pyramid",
            [*rings, "--outer", "1", "--inner", "1"],
            rings,
            [*rings, "--inner", "7", "--outer", "3"],
        )

    def test_queens(self):
        expected = ["result: queens size=8 solutions=92"]
        self.assertEqual(
            self.same_answer(
                "queens", ["--size=8"], ["--size=8", "--cutoff=0"], ["--size=8", "--threads=7"]
            ),
            expected,
        )
        self.same_answer("queens", ["--size=1"], ["--size=1", "--cutoff=1"])

    def test_mergesort(self):
        for size in ("0", "1", "2", "3", "10007"):
            base = ("--size", size)
            self.same_answer(
                "mergesort",
                [*base, "--threads", "1"],
                [*base, "--cutoff", "2"],
                [*base, "--threads", "5"],
            )


class Pictures(Example):
    def test_round_trip_of_a_file(self):
        width, height = 37, 21
        pixels = bytes((7 * i) % 256 for i in range(width * height * 3))
        source = self.file("in.ppm", b"P6\n# a comment\n%d %d\n255\n" % (width, height) + pixels)
        target = str(self.folder / "out.ppm")
        done = call(
            "pyramid", "--picture", source, "--output", target, "--gain", "100", "--passes", "1"
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(
            pathlib.Path(target).read_bytes(), b"P6\n%d %d\n255\n" % (width, height) + pixels
        )

    def test_bad_files(self):
        for message, content in (
            ("x.ppm is not a binary PPM picture.*", "hello"),
            ("x.ppm is not a binary PPM picture.*", ""),
            ("x.ppm: the header of a binary PPM picture is broken", "P6\n12 abc"),
            ("x.ppm: the header of a binary PPM picture is broken", "P6\n12"),
            ("x.ppm: 0 x 5 pixels .* not supported", "P6\n0 5 255\n"),
            ("x.ppm: 2 x 2 pixels with values up to 65535 is not supported", "P6\n2 2 65535\n"),
            ("x.ppm ends before its last pixel", "P6\n2 2 255\nabc"),
        ):
            with self.subTest(message):
                self.refused(1, f".*{message}", "pyramid", "--picture", self.file("x.ppm", content))
        self.refused(
            1,
            "cannot open /no/such.ppm: No such file or directory",
            "pyramid",
            "--picture",
            "/no/such.ppm",
        )
        self.refused(
            1,
            "cannot write /no/such.ppm: .*",
            "pyramid",
            "--passes",
            "1",
            "--output",
            "/no/such.ppm",
        )


if __name__ == "__main__":
    unittest.main()
