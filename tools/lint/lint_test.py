#!/usr/bin/env python3
"""Tests of the lints: each rule on a piece of text that keeps it and one that breaks it."""
from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check_abi
import check_layers
import check_links
import check_memory_orders as orders
import check_models
import check_rooms
import cpp_text


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


class Views(unittest.TestCase):
    def test_lines_are_kept(self):
        source = cpp_text.read(
            pathlib.Path("x"),
            'a; // b\n/* c\nd */ e("// no comment");\nR"(x // y\n)"; \'"\'; 1\'000;',
        )
        self.assertEqual(
            [line.strip() for line in source.comments], ["// b", "/* c", "d */", "", ""]
        )
        self.assertIn("e(", source.code[2])
        self.assertNotIn("no comment", source.code[2])
        self.assertIn("1'000", source.code[4])


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


class Orders(unittest.TestCase):
    def problems(self, text: str) -> list[str]:
        source = cpp_text.read(pathlib.Path("x.cpp"), text)
        names = orders.atomic_names("\n".join(source.code))
        return [
            message
            for _, message in orders.implicit_orders(source, names) + orders.uncommented(source)
        ]

    def accepts(self, text: str):
        self.assertEqual(self.problems(text), [])

    def rejects(self, text: str, part: str = "without a comment", times: int = 1):
        found = self.problems(text)
        self.assertEqual(len(found), times, found)
        for message in found:
            self.assertIn(part, message)

    def test_comment_places(self):
        self.accepts(
            "void f()\n{\n    g();\n    // release: pairs with h().\n    a.store(1,"
            " std::memory_order_release);\n}"
        )
        self.accepts("    a.store(1, std::memory_order_release);  // release: pairs with h()")
        self.accepts("    // why\n    if (x &&\n        a.load(std::memory_order_acquire)) {\n")
        self.accepts("    if (x &&  // why\n        a.load(std::memory_order_acquire)) {\n")
        self.accepts(
            "    // why\n    a.store(1, std::memory_order_relaxed);\n    b.store(1,"
            " std::memory_order_relaxed);\n"
        )
        self.accepts(
            "// why\ntemplate <class T>\nvoid f()\n{\n    a.store(1, std::memory_order_release);\n}"
        )
        self.accepts("// why\nvoid f() { a.store(1, std::memory_order_release); }")

    def test_comment_for_several_sites(self):
        body = (
            "    if (a.load(std::memory_order_relaxed)) {\n    }\n   "
            " b.load(std::memory_order_relaxed);\n}"
        )
        self.accepts("void f()\n{\n    // relaxed, all: why.\n" + body)
        self.accepts("void f()\n{\n    // relaxed (two loads): why.\n" + body)
        self.rejects("void f()\n{\n    // relaxed: why.\n" + body)
        self.rejects("void f()\n{\n    // acquire, all: why.\n" + body)
        self.rejects("void g()\n{\n    // relaxed, all: why.\n}\n\nvoid f()\n{\n" + body, times=2)

    def test_missing_comment(self):
        self.rejects("    a.store(1, std::memory_order_release);")
        self.rejects("    a.store(1, std::memory_order_relaxed);")
        self.rejects("    __atomic_store_n(&a, 1, __ATOMIC_RELEASE);")
        self.rejects("    base::full_fence();")
        self.rejects("// why\n\n    a.store(1, std::memory_order_release);")
        self.rejects("    // why\n    g();\n    a.store(1, std::memory_order_release);")
        self.rejects(
            "// about f\nvoid f()\n{\n    g();\n    a.store(1, std::memory_order_release);\n}"
        )
        self.rejects('    a.store("// why", std::memory_order_release);')

    def test_implicit_order(self):
        for call in (
            "a.load()",
            "a->store(f(1, 2))",
            "a.exchange(1)",
            "a.fetch_add(1)",
            "a.test_and_set()",
            "a.compare_exchange_strong(x, y)",
        ):
            self.rejects(f"    {call};", "without a memory order")
        for call in (
            "a.load(order)",
            "a->store(f(1, 2), order)",
            "a.compare_exchange_weak(x, {1, 2}, order)",
            "std::exchange(a, 1)",
            "cache.load(file)",
        ):
            self.accepts(f"    {call};")
        self.accepts("    plugin.load();  // lint: not atomic")

    def test_operators(self):
        declared = "std::atomic<int> count_{0};\nstd::atomic<std::pair<int, long>> pair;\n"
        self.rejects(declared + "void f()\n{\n    ++count_;\n}", "operator on atomic count_")
        self.rejects(declared + "void f()\n{\n    count_ += 2;\n}", "operator on atomic count_")
        self.rejects(declared + "void f()\n{\n    this->pair = {};\n}", "operator on atomic pair")
        self.accepts(
            declared + "struct s {\n    int pair = 1;\n};\nvoid f()\n{\n    x.pair = 1;\n}"
        )
        self.accepts(
            "std::unique_ptr<std::atomic<int>[]> reached;\nvoid f()\n{\n    reached = 0;\n}"
        )
        self.accepts(
            declared
            + "void f()\n{\n    int pair = 1;\n    const auto count_ = 2;\n    if (x == count_)"
            " {}\n}"
        )


class Layers(unittest.TestCase):
    def test_judge(self):
        for user, used in (
            ("sched", "base"),
            ("base", "include"),
            ("tools", "sched"),
            ("facades/openmp", "sched"),
            ("tests", "facades/openmp"),
            ("fiber", "fiber"),
            ("algorithm", "loop"),
        ):
            self.assertIsNone(check_layers.judge(user, used), (user, used))
        for user, used in (
            ("base", "sched"),
            ("fiber", "trace"),
            ("loop", "algorithm"),
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


class Links(unittest.TestCase):
    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            (root / "docs").mkdir()
            (root / "docs/b.md").write_text(
                "# The `one` table: a, b\n## Twice\n## Twice\n```\n# not one\n```\n"
            )
            page = root / "a.md"
            page.write_text(
                "[x](docs/b.md#the-one-table-a-b) [y](docs/b.md#twice-1) [z](https://example.org/x)"
                " `docs/b.md`\n```\n[not](a-link)\n```\n`[nor](this)`\n"
            )
            self.assertEqual(check_links.check_file(root, page), [])
            page.write_text("[x](docs/c.md)\n[y](docs/b.md#not-one)\n[z](#none)\n`docs/gone.md`\n")
            found = check_links.check_file(root, page)
            self.assertEqual([line.split(":")[1] for line in found], ["1", "2", "3", "4"], found)


class Performance(unittest.TestCase):
    def test_a_changed_figure_is_seen(self):
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "docs"))
        import performance  # pylint: disable=import-outside-toplevel

        for path, row, table in (
            ("docs/performance.md", "| empty region, 2 threads", "openmp"),
            ("docs/mpi-performance.md", "| bcast | 8 |", "mpi-near"),
        ):
            path = performance.layout.ROOT / path
            page, made = path.read_text(), performance.PAGES[path]
            self.assertEqual(performance.filled(page, made), page)
            begin = page.index(row)
            forged = page[:begin] + page[begin:].replace("0.", "1.", 1)
            self.assertNotEqual(forged, page)
            self.assertEqual(performance.filled(forged, made), page)
            with self.assertRaises(SystemExit):
                performance.filled(
                    page.replace(f"table {table}:", "table no-such:").replace(
                        f"end of {table} ", "end of no-such "
                    ),
                    made,
                )


class Programs(unittest.TestCase):
    def test_help(self):
        here = pathlib.Path(__file__).resolve().parent
        for name in ("check_layers.py", "check_memory_orders.py", "check_links.py"):
            run = subprocess.run(
                [sys.executable, here / name, "--help"], capture_output=True, text=True
            )
            self.assertEqual(run.returncode, 0)


if __name__ == "__main__":
    unittest.main()
