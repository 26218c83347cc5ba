#!/usr/bin/env python3
"""Links of documents, figures of the pages of performance, and what lints say with --help."""
from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_links


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

    def test_lists_of_pages(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            (root / "docs/guide").mkdir(parents=True)
            for name, text in (
                ("mkdocs.yml", "nav:\n  - Start: README.md\n  - guide/README.md\n  - guide/a.md\n"),
                ("docs/README.md", "[guide](guide/README.md)"),
                ("docs/guide/README.md", "[a](a.md)"),
                ("docs/guide/a.md", ""),
            ):
                (root / name).write_text(text)
            self.assertEqual(check_links.unlisted(root), [])
            (root / "docs/guide/b.md").write_text("")
            found = check_links.unlisted(root)
            self.assertEqual(
                [line.split(":")[0] for line in found], ["mkdocs.yml", "docs/guide/README.md"]
            )


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

    def test_a_table_without_markers_is_seen(self):
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "docs"))
        import performance  # pylint: disable=import-outside-toplevel

        made = (
            "<!-- table t: made by tools/docs/performance.py -->\n\n| a |\n| --- |\n| 1 |\n\n"
            "<!-- end of t -->\n"
        )
        code = "```\n| a |\n```\n    | a |\n`a | b` - c | d\n"
        self.assertEqual(performance.by_hand(f"# Title\n\n{made}\n{code}"), [])
        self.assertEqual(performance.by_hand(f"{made}\n| a |\n| --- |\n| 1 |\n"), [9, 10, 11])
        self.assertEqual(performance.by_hand(f"a | b\n--- | ---\n\n{made}"), [2])
        for page in performance.PAGES:
            self.assertEqual(performance.by_hand(page.read_text()), [], page)


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
