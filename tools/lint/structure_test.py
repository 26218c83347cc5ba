#!/usr/bin/env python3
"""check_layers.py and check_rooms.py: which file may include which, and which folders need a
README."""
from __future__ import annotations

import pathlib
import subprocess
import tempfile
import unittest

import check_layers
import check_rooms


class Layers(unittest.TestCase):
    def test_judge(self):
        for user, used in (
            ("sched", "base"),
            ("base", "include"),
            ("tools", "sched"),
            ("facades/openmp", "sched"),
            ("tests", "facades/openmp"),
            ("fiber", "fiber"),
            ("capi", "loop"),
        ):
            self.assertIsNone(check_layers.judge(user, used), (user, used))
        for user, used in (
            ("base", "sched"),
            ("fiber", "topology"),
            ("loop", "foreign"),
            ("include", "base"),
            ("capi", "tools"),
            ("sched", "facades/openmp"),
            ("facades/openmp", "facades/qthreads"),
            ("examples", "sched"),
        ):
            self.assertIsNotNone(check_layers.judge(user, used), (user, used))

    def test_rooms(self):
        def judge(user, used):
            base = pathlib.PurePosixPath("facades/openmp")
            return check_layers.judge_rooms(base / user, base / used)

        for user, used in (
            ("team/a.cpp", "waiting/b.hpp"),
            ("settings/kmp/a.cpp", "settings/b.hpp"),
            ("settings/a.cpp", "settings/kmp/b.hpp"),
            ("abi/gomp/a.cpp", "abi/b.hpp"),
            ("ompt/entries/a.cpp", "ompt/interface/b.hpp"),
        ):
            self.assertIsNone(judge(user, used), (user, used))
        for user, used in (
            ("waiting/a.cpp", "team/b.hpp"),
            ("abi/gomp/a.cpp", "abi/kmp/b.hpp"),
            ("blas/a.cpp", "ompt/events/b.hpp"),
            ("ompt/interface/a.cpp", "ompt/entries/b.hpp"),
            ("nowhere/a.cpp", "team/b.hpp"),
            ("a.cpp", "team/b.hpp"),
        ):
            self.assertIsNotNone(judge(user, used), (user, used))

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for name in ("src/base/os/a.hpp", "src/sched/b.hpp", "include/artel/c.hpp"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("")
            low = root / "src/base/a.cpp"
            low.write_text(
                '#include "base/os/a.hpp"\n#include <artel/c.hpp>\n// #include'
                ' "sched/b.hpp"\n#include <vector>\n'
            )
            self.assertEqual(check_layers.check_file(root, low), [])
            low.write_text(
                '#include "sched/b.hpp"\n#include "sched/none.hpp"\n#include <linux/futex.h>\n'
            )
            found = check_layers.check_file(root, low)
            self.assertEqual([line.split(":")[1] for line in found], ["1", "2", "3"], found)
            header = root / "include/artel/c.hpp"
            header.write_text('#include "../../src/base/os/a.hpp"\n')
            self.assertEqual(len(check_layers.check_file(root, header)), 1)

    def test_macros_that_a_header_defines(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "a.cpp"
            asks = "#if defined(ARTEL_ASAN) && !defined(ARTEL_TSAN)\n#endif\n"
            for text, count in (
                (asks, 2),
                ('#include "fiber/sanitizer.hpp"\n' + asks, 0),
                ("// #if defined(ARTEL_ASAN)\nint ARTEL_ASAN;\n", 0),
            ):
                file.write_text(text)
                found = check_layers.check_macros(file, "src/sched/a.cpp")
                self.assertEqual(len(found), count, text)

    def test_rooms_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for part, low, high in (("facades/openmp", "waiting", "team"), ("mpi", "shm", "coll")):
                for room in (low, high):
                    (root / part / room).mkdir(parents=True)
                    (root / part / room / "a.hpp").write_text("")
                for user, used, count in ((high, low, 0), (low, high, 1)):
                    file = root / part / user / "b.cpp"
                    file.write_text(f'#include "a.hpp"\n#include "{used}/a.hpp"\n')
                    self.assertEqual(len(check_layers.check_file(root, file)), count, (part, user))


class Rooms(unittest.TestCase):
    def check(self, readme: str, files: int = 2) -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            (root / "src/cellar").mkdir(parents=True)
            for number in range(files):
                (root / f"src/cellar/{number}.cpp").write_text("")
            (root / "src/README.md").write_text(readme)
            subprocess.run(["git", "init", "-q", folder], check=True)
            return check_rooms.check(root)[1]

    def test_rooms_are_described(self):
        for readme in ("Potatoes: `cellar/`.", "`cellar`", "[down](cellar/a.hpp)"):
            self.assertEqual(self.check(readme), [], readme)
        for readme in ("Nothing of the cellar.", "`wine-cellar`"):
            self.assertEqual(len(self.check(readme)), 1, readme)
        self.assertIn("10 files", self.check("`cellar`", files=10)[0])


if __name__ == "__main__":
    unittest.main()
