#!/usr/bin/env python3
"""check_abi.py: what compiled programs rely on, and how changes of it are found."""
from __future__ import annotations

import pathlib
import subprocess
import tempfile
import unittest

import check_abi


class Abi(unittest.TestCase):
    header = """
#define ARTEL_API __attribute__((visibility("default")))
extern "C" ARTEL_API int artel_count(int of);
namespace artel {
enum class way { here, there };
inline int defined_here() { return 1; }
class ARTEL_API door {
public:
    void open() noexcept;
    int steps() const { return 1; }
private:
    long width_;
    MEMBER
};
}
"""

    def snapshot(self, **changes: str) -> str:
        text = self.header.replace("MEMBER", changes.get("member", "int colour_;"))
        for old, new in changes.get("replaced", {}).items():
            text = text.replace(old, new)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "artel.hpp").write_text(text)
            return check_abi.snapshot(pathlib.Path(folder))

    def test_what_programs_rely_on(self):
        text = self.snapshot()
        for expected in (
            "function artel_count\n    int (int)\n",
            "function _ZN5artel4door4openEv\n    void () noexcept\n",
            "enum way\n    here, there\n",
            "class artel::door: size 16, alignment 8\n       0 long width_\n       8 int colour_\n",
        ):
            self.assertIn(expected, text)
        for unexpected in ("steps", "defined_here"):
            self.assertNotIn(unexpected, text)

    def test_changes_are_told(self):
        kept = self.snapshot()
        self.assertEqual(check_abi.differences(kept, self.snapshot()), [])
        for now, expected in (
            (self.snapshot(member="short colour_;"), "+       8 short colour_"),
            (self.snapshot(member="int before_, colour_;"), "-       8 int colour_"),
            (
                self.snapshot(replaced={"int artel_count(int of)": "long artel_count(int of)"}),
                "-    int (int)",
            ),
            (self.snapshot(replaced={"here, there": "there, here"}), "-    here, there"),
        ):
            told = check_abi.differences(kept, now)
            self.assertIn(expected, told)
            self.assertIn("gone or changed", told[-1])
            self.assertIn("--renew", told[-1])
        more = check_abi.differences(
            kept,
            self.snapshot(replaced={"class ARTEL_API": "ARTEL_API void more();\nclass ARTEL_API"}),
        )
        self.assertIn("only additions", more[-1])

    def test_missing_in_the_library(self):
        library = subprocess.run(
            ["cc", "-print-file-name=libc.so.6"], capture_output=True, text=True, check=True
        ).stdout.strip()
        self.assertEqual(
            check_abi.missing("function malloc\n    x\nfunction artel_not_there\n    x\n", library),
            ["artel_not_there"],
        )


if __name__ == "__main__":
    unittest.main()
