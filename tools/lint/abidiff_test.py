#!/usr/bin/env python3
"""check_abidiff.py: what is kept of a library, and which changes of it are told."""
from __future__ import annotations

import pathlib
import subprocess
import tempfile
import unittest

import check_abidiff


class Abidiff(unittest.TestCase):
    header = """
typedef struct artel_door { long width; int colour; } artel_door;
"""
    source = """
#include "artel.h"
struct hidden { int steps; };
struct unused { int many; };
extern "C" {
int artel_open(artel_door* door) { return door->colour; }
void* artel_walk(hidden* by) { return by; }
int other_name(unused* them) { return them->many; }
}
"""

    def snapshot(self, *options: str, **replaced: tuple[str, str]) -> str:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for file, text in (("artel.h", self.header), ("artel.cpp", self.source)):
                for old, new in replaced.values():
                    text = text.replace(old, new)
                (folder / "include").mkdir(exist_ok=True)
                (folder / ("include" if file.endswith(".h") else ".") / file).write_text(text)
            library = folder / "library.so"
            subprocess.run(
                ["g++", *(options or ("-g",)), "-shared", "-fPIC", f"-I{folder}/include"]
                + ["-o", library, folder / "artel.cpp"],
                check=True,
            )
            return check_abidiff.snapshot(library, folder / "include")

    def told(self, kept: str, now: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "kept.abi"
            file.write_text(kept)
            return check_abidiff.differences(file, now)

    def test_only_c_names_and_their_types_are_kept(self):
        kept = self.snapshot()
        for name in ("artel_open", "artel_walk", "artel_door", "width", "colour"):
            self.assertIn(f'"{name}"', kept)
        for name in ("other_name", "unused", "steps"):
            self.assertNotIn(name, kept)

    def test_changes_are_told(self):
        kept = self.snapshot()
        self.assertEqual(self.told(kept, self.snapshot()), "")
        for old, new, expected in (
            ("int colour;", "short colour;", "colour"),
            ("long width; int colour;", "int colour; long width;", "offset changed"),
            (
                "int artel_open(artel_door* door)",
                "long artel_open(artel_door* door)",
                "return type",
            ),
            ("artel_door* door)", "artel_door* door, int)", "parameter 2"),
            ("void* artel_walk", "void* artel_run", "artel_walk"),
        ):
            with self.subTest(new):
                self.assertIn(expected, self.told(kept, self.snapshot(change=(old, new))))

    def test_what_programs_do_not_see_may_change(self):
        kept = self.snapshot()
        now = self.snapshot(change=("int steps;", "long steps;"))
        self.assertEqual(self.told(kept, now), "")

    def test_a_library_without_debug_information_is_told(self):
        with self.assertRaises(SystemExit) as end:
            self.snapshot("-g0")
        self.assertIn("without -g", str(end.exception))


if __name__ == "__main__":
    unittest.main()
