#!/usr/bin/env python3
"""check_models.py: the code that models break on purpose exists."""
from __future__ import annotations

import pathlib
import tempfile
import unittest

import check_models


class Models(unittest.TestCase):
    code = """
template <class T>
bool word::take(T* of) noexcept
{
    if (value_.exchange(1, order) != 0) {
        base::full_fence();
    }
    return quiet();
}
bool quiet() { return take(1) && true; }
"""
    model = """
#include "word.hpp"
#include "base/run_model.hpp"
void looks() { if (model::broken("nobody looks")) {} }
const std::vector<model::scenario> scenarios{
    {"two takers", rl::simulate<takers>, 1000},
};
const std::vector<model::breakage> breakages{
    {"no fence", 0, model::damage::no_fence, "word.hpp", "::take("},
    {"taken relaxed", 0, model::damage::relaxed, "word.hpp",
     "::take("},
    {"nobody looks", 0, model::damage::custom},
};
ARTEL_MODEL_MAIN(scenarios, breakages)
"""

    def problems(self, *replaced: tuple[str, str]) -> list[str]:
        text = self.model
        for old, new in replaced:
            self.assertIn(old, text)
            text = text.replace(old, new, 1)
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            for name, content in (
                ("word_model.cpp", text),
                ("word.hpp", self.code),
                ("base/run_model.hpp", ""),
            ):
                path = root / "src/sched" / name if name[0] == "w" else root / "src" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
            return check_models.check_model(root, root / "src/sched/word_model.cpp")[1]

    def test_what_is_broken_is_there(self):
        self.assertEqual(self.problems(), [])

    def test_what_is_not_there_is_told(self):
        for change, expected in (
            (('"word.hpp", "::take("', '"words.hpp", "::take("'), "includes no file 'words.hpp'"),
            (('"word.hpp", "::take("', '"word.hpp", "::steal("'), "no function '::steal('"),
            (('"word.hpp", "::take("', '"word.hpp", "quiet("'), "with a full_fence()"),
            (('relaxed", 0', 'relaxed", 1'), "scenarios 0 to 0, not 1"),
            (('"taken relaxed"', '"no fence"'), "named twice for scenario 0"),
            (('broken("nobody', 'broken("anybody'), "asks for 'anybody looks'"),
            (
                ('void looks() { if (model::broken("nobody looks")) {} }', ""),
                'nobody asks model::broken("nobody looks")',
            ),
            (("model::damage::relaxed,", "model::damage::relaxed + 0,"), "cannot be read"),
            (("(scenarios, breakages)", "(scenarios, {})"), "ARTEL_MODEL_MAIN of the two"),
        ):
            told = self.problems(change)
            self.assertTrue(any(expected in line for line in told), (change, told))


if __name__ == "__main__":
    unittest.main()
