#!/usr/bin/env python3
"""The paper's formulas, what is said of the shape of a curve, and the page, with numbers that are
known beforehand: no MPI, nothing is measured."""
from __future__ import annotations

import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "bench" / "mpi"))
import imb  # noqa: E402
import paper  # noqa: E402
import paper_model as model  # noqa: E402
import paper_page  # noqa: E402
import paper_peers  # noqa: E402
import paper_shapes as shapes  # noqa: E402
from paper_trial import Bench, case  # noqa: E402

KI, MI = model.KI, model.MI


class Formulas(unittest.TestCase):
    def test_figure_4(self) -> None:
        """Its axes go from 16 700 to 17 300 µs, and f* is where the curve is least."""
        line = {
            f: model.time(model.PAPER, 16 * MI, f, 4 * MI / f) for f in range(2048, 65537, 2048)
        }
        self.assertTrue(all(16700 < t < 17400 for t in line.values()), line)
        self.assertAlmostEqual(model.best_fragment(model.PAPER, 16 * MI, 4 * MI), 14481.5, 1)
        self.assertEqual(min(line, key=lambda f: line[f]), 14336)

    def test_cases_of_the_text(self) -> None:
        t = model.Times(1.0, 100.0, 10.0, 50.0)
        # Up to f: t_WO + t_A + t_W + 2 m t, whatever the length.
        for length in (1, 4):
            self.assertEqual(model.time(t, 1000, 4096, length), 160 + 2000)
        # Up to b: t_WO + t_A + t_C + ceil(m/f) t_W + m t.
        self.assertEqual(model.time(t, 8192, 4096, 4), 110 + 4096 + 2 * 50 + 8192)
        # Beyond: ceil(m/b) (t_WO + t_A + t_C) + ...
        self.assertEqual(model.time(t, 8 * 4096, 4096, 4), 2 * (110 + 4096) + 8 * 50 + 8 * 4096)
        # With two sets twice as many waits, and one t_C.
        self.assertEqual(
            model.time(t, 8 * 4096, 4096, 4, 2), 2 * 2 * 110 + 4096 + 8 * 50 + 8 * 4096
        )
        self.assertEqual(model.time(t, 4 * 4096, 4096, 1), 4 * 160 + 2 * 4 * 4096)

    def test_table_1(self) -> None:
        rows = dict(model.table())
        self.assertEqual(rows[8192][0], (32 * MI, model.YELLOW))
        self.assertEqual(rows[8192][2], (8 * MI, model.GREEN))
        self.assertEqual(rows[65536][0], (2048 * MI, model.RED))
        self.assertEqual([round(row[0][0] / MI) for row in rows.values()], list(model.PRINTED))
        self.assertTrue(shapes.printed([row[0][0] for row in rows.values()])[0])
        self.assertFalse(shapes.printed([row[1][0] for row in rows.values()])[0])

    def test_diagram(self) -> None:
        """The paper's own diagrams have the shape that is looked for."""
        drawn = {
            n: model.diagram(*w) for n, w in (("a", (1, 1, 4)), ("b", (4, 1, 8)), ("c", (8, 2, 8)))
        }
        self.assertTrue(shapes.steps(drawn)[0])
        for wrong in ("abc", "acc", "bbc", "abb"):
            swapped = dict(zip("abc", (drawn[name] for name in wrong)))
            self.assertEqual(shapes.steps(swapped)[0], wrong == "abc", wrong)
        for bars in drawn.values():
            for rank in (0, 1):
                own = [bar for bar in bars if bar.rank == rank]
                self.assertTrue(all(a.end <= b.begin + 1e-9 for a, b in zip(own, own[1:])))


class Shapes(unittest.TestCase):
    """Each verdict can be either."""

    def test_valley(self) -> None:
        curve = [(4096, 12.0), (8192, 10.0), (16384, 10.5), (65536, 14.0)]
        self.assertTrue(shapes.valley(curve, 14000, "x")[0])
        self.assertFalse(shapes.valley(curve, 65000, "x")[0])
        self.assertFalse(shapes.valley(sorted((x, x) for x, _ in curve), 4096, "x")[0])

    def test_good_fragments(self) -> None:
        good, told = shapes.good_fragments({"m": [(4096, 12.0), (8192, 10.0), (16384, 10.4)]})
        self.assertTrue(good)
        self.assertIn("8 KiB, 16 KiB", told)
        self.assertFalse(shapes.good_fragments({"m": [(4096, 9.0), (8192, 10.0), (16384, 9.1)]})[0])

    def test_falling(self) -> None:
        curve = [(2, 80.0), (4, 66.0), (8, 60.0), (16, 57.0), (32, 56.0)]
        self.assertTrue(shapes.falling(curve, 100.0)[0])
        self.assertFalse(shapes.falling(curve[::-1], 100.0)[0])
        self.assertFalse(shapes.falling(curve, 50.0)[0])

    def test_pipelined(self) -> None:
        as_paper = {2: [(4096, 1.0), (16384, 0.7)], 4: [(4096, 1.02), (32768, 0.57)]}
        good, told = shapes.pipelined(as_paper, 8192)
        self.assertTrue(good)
        self.assertIn("s = 2 takes 30 % less at 16 KiB", told)
        self.assertFalse(shapes.pipelined({**as_paper, 4: [(4096, 1.0), (32768, 0.98)]}, 8192)[0])
        self.assertFalse(shapes.pipelined({2: [(4096, 1.5), (16384, 0.7)]}, 8192)[0])

    def test_teeth(self) -> None:
        sizes = list(range(8 * KI, 260 * KI, 12 * KI))
        curve = [(f, model.time(model.PAPER, 16 * MI, f, 32)) for f in sizes]
        rounds = [-(-16 * MI // (f * 32)) for f in sizes]
        self.assertTrue(shapes.teeth(curve, rounds, [y for _, y in curve])[0])
        flat = [(f, 17000.0) for f in sizes]
        self.assertFalse(shapes.teeth(flat, rounds, [y for _, y in curve])[0])

    def test_best_tree(self) -> None:
        trees = {"flat": 1.0, "chain": 0.9, "2-ary": 0.95, "4-ary": 1.1}
        self.assertTrue(shapes.best_tree({n: [(8, r), (64, r)] for n, r in trees.items()})[0])
        trees["chain"] = trees["2-ary"] = 1.2
        good, told = shapes.best_tree({n: [(8, r), (64, r)] for n, r in trees.items()})
        self.assertFalse(good)
        self.assertIn("flat 1.00, 4-ary 1.10", told)

    def test_read_ahead(self) -> None:
        self.assertTrue(shapes.read_ahead({"on": 0.4, "off": 1.0})[0])
        self.assertFalse(shapes.read_ahead({"on": 1.0, "off": 1.0})[0])
        self.assertIn("nothing to read ahead", shapes.read_ahead({"on": 1.0, "off": 1.0})[1])
        self.assertFalse(shapes.read_ahead({"on": 0.4, "off": 0.9})[0])

    def test_gain(self) -> None:
        good, told = shapes.gain({"a": [(8, 0.5), (16, 0.7)]}, {"b": [(8, 1.5)]}, 0.2, 0.4)
        self.assertTrue(good)
        self.assertIn("its protocol here a: 40 % less. Ours as it is: b: 50 % more.", told)
        self.assertFalse(shapes.gain({"a": [(8, 0.5)], "far": [(8, 0.9)]}, {}, 0.2, 0.4)[0])
        self.assertIsNone(shapes.gain({"a": []}, {}, 0.2, 0.4)[0])


class Running(unittest.TestCase):
    def test_sizes_and_ranks(self) -> None:
        tool = pathlib.Path("artel")
        self.assertEqual(Bench(tool, as_paper=True).ranks_for(16), 16)
        self.assertEqual(Bench(tool, ranks=3).ranks_for(16), 3)
        self.assertGreaterEqual(Bench(tool).ranks_for(16, least=4), 4)
        self.assertEqual(Bench(tool, as_paper=True).sizes_for([1], [2]), [1])
        self.assertEqual(Bench(tool, sizes=[3]).sizes_for([1], [2]), [3])
        self.assertEqual(
            case(1, 8192, 64, "2-ary"),
            "bytes=1,protocol=paper,fragment=8192,length=64,sets=1,tree=kary,k=2",
        )

    def test_names(self) -> None:
        self.assertEqual(paper.names("3,table1"), ["3", "table1"])
        self.assertEqual(len(paper.names("all")), 12)
        with self.assertRaisesRegex(Exception, "no such figure: 14"):
            paper.names("3,14")

    def test_middle(self) -> None:
        self.assertEqual(paper_peers.middle([9.0, 1.0, 2.0, 3.0, 4.0]), 3.0)
        self.assertEqual(paper_peers.middle([2.0, 4.0]), 3.0)

    def test_root_shift(self) -> None:
        """What the benchmark is told, and which binary it is."""
        told: list[list[str]] = []

        class Recorder:
            abi, launcher = "openmpi", "/nowhere/bin/mpirun"

            def job(self, ranks, words, *_rest, **_more) -> list[str]:
                told.append(words)
                return words

            def output(self, _words) -> str:
                return "64 1000 1.0 2.0 1.5\n"

        peer = {"mpi": Recorder(), "env": {}, "words": ()}
        rows = imb.run_once(peer, pathlib.Path("/x/IMB-MPI1"), 2, "bcast", [64], 20 << 20, True)
        self.assertEqual(rows[0]["max_us"], 2.0)
        self.assertEqual(told[0][0], "/x/IMB-MPI1")
        self.assertEqual(told[0][told[0].index("-root_shift") + 1], "on")


class Page(unittest.TestCase):
    def test_every_kind_of_record(self) -> None:
        common = {
            "machine": {"cpus": 2},
            "paper_parameters": {"f": 8192},
            "parameters": {"ranks": 2},
        }
        line = {
            "name": "measured",
            "of": "here",
            "panel": "m",
            "points": [[1024, 1.5], [2048, 1.25]],
        }
        records = [
            {
                **common,
                "figure": "5",
                "title": "Fragments",
                "holds": False,
                "sentence": "It is < not.",
                "x": "bytes",
                "y": "µs",
                "curves": [line, {**line, "of": "paper"}],
            },
            {
                **common,
                "figure": "3",
                "title": "Steps",
                "holds": True,
                "sentence": "Yes.",
                "x": "µs",
                "y": "",
                "curves": [],
                "bars": [
                    {
                        "of": "here",
                        "panel": "a",
                        "bars": [[0, "C", 0, 0.0, 1.0], [1, "A", 0, 1.0, 2.0]],
                    }
                ],
            },
            {**paper.table1(Bench(pathlib.Path("artel"))), "figure": "table1", "machine": {}},
        ]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "paper.html"
            paper_page.write(file, records)
            text = file.read_text()
        self.assertIn("Figure 5: Fragments", text)
        self.assertIn("It is &lt; not.", text)
        self.assertIn("does not hold", text)
        self.assertIn("<td>1.25</td>", text)
        self.assertIn("#fbf1c5", text)
        if paper_page.page.have_plots:
            self.assertEqual(text.count("<img"), 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
