#!/usr/bin/env python3
"""The exported names: all of the system's libgomp are there, as the table says, and the generated
page is current. exports_test.py LIBRARY SOURCE_DIR GENERATED_DIR"""
import pathlib
import re
import subprocess
import sys
import unittest

STOCK = "/usr/lib/x86_64-linux-gnu/libgomp.so.1"
STOCK_LLVM = "/usr/lib/llvm-19/lib/libomp.so.5"


def exported(path):
    """{(name, node): hidden} of the functions and variables that a library defines."""
    table = subprocess.run(
        ["readelf", "--dyn-syms", "-W", path], capture_output=True, text=True, check=True
    ).stdout
    result = {}
    for line in table.splitlines():
        fields = line.split()
        if (
            len(fields) >= 8
            and fields[3] in ("FUNC", "NOTYPE", "IFUNC", "OBJECT")
            and fields[6] != "ABS"
            and fields[6] != "UND"
            and "@" in fields[7]
        ):
            name, at, node = re.fullmatch(r"(.*?)(@@?)(.*)", fields[7]).groups()
            result[name, node] = at == "@"
    return result


class Exports(unittest.TestCase):
    def setUp(self):
        self.ours = exported(LIBRARY)
        self.table = {}
        for table in ("exports.txt", "exports_kmp.txt"):
            for line in (SOURCE / "facades/openmp" / table).read_text().splitlines():
                columns = line.split()
                if columns and not line.startswith("#"):
                    self.table[columns[0], columns[1]] = "hidden" in columns

    def test_every_name_of_the_table_is_exported(self):
        self.assertEqual({k: v for k, v in self.ours.items() if k in self.table}, self.table)

    def test_every_name_of_stock_libgomp_is_in_the_table(self):
        stock = exported(STOCK)
        self.assertEqual(sorted(set(stock) - set(self.table)), [])
        different = {k for k in stock if stock[k] != self.table[k]}
        self.assertEqual(different, {("omp_in_parallel", "OMP_1.0")})

    def test_every_name_of_stock_libomp_is_in_the_table(self):
        if not pathlib.Path(STOCK_LLVM).exists():
            self.skipTest("libomp is not installed")
        # Its copies of libgomp's nodes are in the other table.
        stock = {name for name, node in exported(STOCK_LLVM) if node == "VERSION"}
        self.assertGreater(len(stock), 900)
        self.assertEqual(
            sorted(stock ^ {name for name, node in self.table if node == "VERSION"}), []
        )

    def test_nothing_else_is_exported(self):
        extra = [
            name
            for name in sorted(set(self.ours) - set(self.table))
            if not name[0].startswith("artel_gomp_")
        ]
        # blas.cpp, in_parallel.cpp; interposed*.cpp, src/foreign/interposed
        libc = (
            "nanosleep",
            "pthread_kill",
            "pthread_mutex_lock",
            "pthread_sigmask",
            "raise",
            "sched_yield",
            "setegid",
            "seteuid",
            "setgid",
            "setgroups",
            "setregid",
            "setresgid",
            "setresuid",
            "setreuid",
            "setuid",
            "sigpending",
            "sigprocmask",
            "sigtimedwait",
            "sigwait",
            "sigwaitinfo",
            "usleep",
        )
        newer = (
            ("clock_nanosleep", "GLIBC_2.17"),
            ("pthread_kill", "GLIBC_2.34"),
            ("pthread_sigmask", "GLIBC_2.32"),
            ("pthread_sigqueue", "GLIBC_2.11"),
            ("pthread_sigqueue", "GLIBC_2.34"),
        )
        self.assertEqual(
            extra,
            sorted(
                [
                    ("exec_blas", "ARTEL_GOMP_0"),
                    ("omp_in_parallel", "ARTEL_GOMP_0"),
                    *((name, "GLIBC_2.2.5") for name in libc),
                    *newer,
                ]
            ),
        )

    def test_soname(self):
        dynamic = subprocess.run(
            ["readelf", "-dW", LIBRARY], capture_output=True, text=True, check=True
        ).stdout
        self.assertRegex(dynamic, r"SONAME.*\[libgomp\.so\.1\]")
        self.assertIn("$ORIGIN", dynamic)

    def test_the_page_is_current(self):
        self.assertEqual(
            (SOURCE / "docs/openmp-conformance.md").read_text(),
            (GENERATED / "openmp-conformance.md").read_text(),
            "copy build/facades/openmp/generated/openmp-conformance.md to docs/",
        )

    def test_what_is_missing_of_libomp_has_a_reason(self):
        lines = (SOURCE / "facades/openmp/exports_kmp.txt").read_text().splitlines()
        for line in (line for line in lines if re.match(r"[^#]\S+\s+VERSION\s+missing", line)):
            self.assertRegex(line, r" -- \w+ ")

    def test_missing_name_says_so(self):
        missing = [n for n, node in self.table if n == "acc_init"]
        if not missing:
            self.skipTest("nothing is missing")
        code = "import ctypes, sys; ctypes.CDLL(sys.argv[1]).acc_init(0)"
        done = subprocess.run([sys.executable, "-c", code, LIBRARY], capture_output=True, text=True)
        self.assertIn("libgomp-artel: acc_init is not implemented", done.stderr)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    LIBRARY, SOURCE, GENERATED = (
        sys.argv.pop(1),
        pathlib.Path(sys.argv.pop(1)),
        pathlib.Path(sys.argv.pop(1)),
    )
    unittest.main()
