#!/usr/bin/env python3
"""Error directives and wrong arguments: what a program prints and how it ends are as under its
stock runtime.
error_test.py LIBRARY PROGRAM... (errors.c, by each compiler)"""
import os
import subprocess
import sys
import unittest


def run(program, how, **variables):
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "KMP_", "GOMP_", "LD_"))
    }
    return subprocess.run(
        ["sh", "-c", 'ulimit -c 0; exec "$0" "$1"', program, how],
        env={**environment, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )


class Errors(unittest.TestCase):
    def test_as_stock(self):
        for program in PROGRAMS:
            for how in ("", "first", "fatal", "silent", "member"):
                for variables in ({}, {"KMP_WARNINGS": "0"}):
                    with self.subTest(program=program, how=how, variables=variables):
                        stock = run(program, how, **variables)
                        self.assertEqual(stock.returncode == 0, how in ("", "first"))
                        ours = run(program, how, LD_PRELOAD=LIBRARY, **variables)
                        self.assertEqual(ours.stderr, stock.stderr)
                        self.assertEqual(ours.stdout, stock.stdout)
                        self.assertEqual(ours.returncode, stock.returncode)

    def test_arguments_as_stock(self):
        formats = (
            "%05n %0n %00.5n %0.5n %.5n %5n %.05n %.n %0.n %005n %-5n %z %{} %{x} %{thread_num "
            "%5{thread_num} %05{nesting_level} %5% %% %nn %*n %0.20A %05A %X"
        ).split()
        ends_early = "% %. %0 %5 %.5{ %0.5".split()  # libomp reads on behind the end
        for program in PROGRAMS:
            for how in (
                *formats,
                *(() if "clang" in program else ends_early),
                "schedules",
                "pauses",
            ):
                with self.subTest(program=program, how=how):
                    stock = run(program, how)
                    ours = run(program, how, LD_PRELOAD=LIBRARY)
                    self.assertEqual(ours.stderr, stock.stderr)
                    self.assertEqual(ours.stdout, stock.stdout)
                    self.assertEqual(ours.returncode, stock.returncode)


if __name__ == "__main__":
    LIBRARY, *PROGRAMS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
