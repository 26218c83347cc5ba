#!/usr/bin/env python3
"""The exported names are those of the table, and the conformance page in docs is current.
exports_test.py LIBRARY SOURCE_DIR GENERATED_DIR"""
import pathlib
import subprocess
import sys
import unittest


class Exports(unittest.TestCase):
    def test_every_name_of_the_table_and_no_other_is_exported(self):
        table = {line.split()[0] for line in (SOURCE / "facades/qthreads/exports.txt").read_text().splitlines() if line and not line.startswith("#")}
        text = subprocess.run(["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True).stdout
        self.assertEqual({line.split()[2] for line in text.splitlines()}, table)

    def test_the_soname_is_that_of_the_stock_library(self):
        text = subprocess.run(["readelf", "-d", LIBRARY], capture_output=True, text=True, check=True).stdout
        self.assertIn("[libqthread.so.1]", text)

    def test_the_page_is_current(self):
        self.assertEqual((SOURCE / "docs/qthreads-conformance.md").read_text(), (GENERATED / "qthreads-conformance.md").read_text())


if __name__ == "__main__":
    LIBRARY, GENERATED = sys.argv[1], pathlib.Path(sys.argv[3])
    SOURCE = pathlib.Path(sys.argv[2])
    unittest.main(argv=sys.argv[:1])
