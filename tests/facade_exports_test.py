#!/usr/bin/env python3
"""The names that a facade exports are those of its table, and the conformance page in docs is
current. facade_exports_test.py LIBRARY SOURCE_DIR GENERATED_DIR FACADE SONAME"""
import pathlib
import subprocess
import sys
import unittest


class Exports(unittest.TestCase):
    def test_every_name_of_the_table_and_no_other_is_exported(self):
        lines = (SOURCE / f"facades/{FACADE}/exports.txt").read_text().splitlines()
        table = {line.split()[0] for line in lines if line and not line.startswith("#")}
        text = subprocess.run(
            ["nm", "-D", "--defined-only", LIBRARY], capture_output=True, text=True, check=True
        ).stdout
        self.assertEqual({line.split()[2] for line in text.splitlines()}, table)

    def test_the_soname_is_that_of_the_stock_library(self):
        text = subprocess.run(
            ["readelf", "-d", LIBRARY], capture_output=True, text=True, check=True
        ).stdout
        self.assertIn(f"[{SONAME}]", text)

    def test_the_page_is_current(self):
        page = f"{FACADE}-conformance.md"
        self.assertEqual((SOURCE / "docs" / page).read_text(), (GENERATED / page).read_text())


if __name__ == "__main__":
    LIBRARY, GENERATED = sys.argv[1], pathlib.Path(sys.argv[3])
    SOURCE, FACADE, SONAME = pathlib.Path(sys.argv[2]), sys.argv[4], sys.argv[5]
    unittest.main(argv=sys.argv[:1])
