#!/usr/bin/env python3
"""check_memory_orders.py, and the views of a C++ file that it works on."""
from __future__ import annotations

import pathlib
import unittest

import check_memory_orders as orders
import cpp_text


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


if __name__ == "__main__":
    unittest.main()
