#!/usr/bin/env python3
"""`artel mpi bench`: figures, pages and pictures of small runs."""
from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile
import unittest

from job_case import Job
from jobs import LIBDIR, PEERS


class Benchmarks(Job):
    """`artel mpi bench` runs, and leaves what it says it leaves."""

    def artel(self, *words: str) -> tuple[str, pathlib.Path]:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        done = subprocess.run(
            [str(LIBDIR.parent / "bin" / "artel"), "mpi", "bench", "--out", folder.name, *words],
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, pathlib.Path(folder.name)

    def assert_plot(self, file: pathlib.Path) -> None:
        if (
            subprocess.run(
                ["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True, check=False
            ).returncode
            == 0
        ):
            self.assertEqual(file.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")


class Bench(Benchmarks):
    def test_peers(self) -> None:
        names = [
            line
            for line in self.artel("--list")[0].splitlines()
            if line.endswith(("openmpi", "mpich"))
        ]
        self.assertTrue(any(name.startswith("Artel") for name in names), names)
        table, folder = self.artel(
            "--ranks",
            "2",
            "--sizes",
            "8,20000",
            "--rounds",
            "1",
            "--calls",
            "20",
            "--only",
            ",".join(names),
        )
        rows = json.loads((folder / "bcast-peers.json").read_text())["results"]
        self.assertLessEqual(
            {(name, size) for name in names for size in (8, 20000)},
            {(row["peer"], row["bytes"]) for row in rows},
        )
        for row in rows:
            self.assertGreater(row["rate_us"], 0)
            self.assertIn(row["peer"], table)
        self.assert_plot(folder / "bcast-peers-2.png")

    def test_sweep(self) -> None:
        _, folder = self.artel(
            "--sweep", "sets", "--ranks", "2", "--sizes", "100000", "--rounds", "1", "--calls", "5"
        )
        rows = json.loads((folder / "bcast-sets.json").read_text())["results"]
        self.assertEqual({row["peer"] for row in rows}, {"q=1", "q=2", "q=4", "q=8"})
        self.assert_plot(folder / "bcast-sets-2.png")

    def test_model(self) -> None:
        """Parameters measured here, and predictions that follow from them."""
        table, folder = self.artel("--model", "--ranks", "2")
        found = json.loads((folder / "model-2.json").read_text())
        for row in found["rows"]:
            queue = max(found["queue_bytes"] // row["fragment"], 1) * row["fragment"]
            first_copy = min(row["fragment"], row["bytes"]) * row["quicker_per_byte_ns"]
            nanoseconds = (
                -(-row["bytes"] // queue) * (row["set_wait_ns"] + row["atomic_ns"] + first_copy)
                + row["bytes"] * row["per_byte_ns"]
                + -(-row["bytes"] // row["fragment"]) * row["notify_ns"]
            )
            self.assertAlmostEqual(row["predicted_us"] * 1000 / nanoseconds, 1, places=6)
            self.assertGreater(row["measured_us"], 0)
        self.assertIn("predicted", table)
        self.assert_plot(folder / "model-2.png")

    def test_paper(self) -> None:
        """Experiments of the paper: a record of each, one page of all that the folder has."""
        small = ("--ranks", "3", "--sizes", "2048,20000", "--rounds", "1", "--calls", "2")
        told, folder = self.artel("--paper", "3,7,table1", *small)
        self.artel("--paper", "10", *small, "--out", str(folder))
        found = {
            f: json.loads((folder / f"paper-{f}.json").read_text())
            for f in ("3", "7", "10", "table1")
        }
        for name in ("3", "7", "table1"):
            self.assertIn(found[name]["sentence"], told)
        self.assertEqual({bar["of"] for bar in found["3"]["bars"]}, {"paper", "here"})
        here = {c["name"]: c["points"] for c in found["7"]["curves"] if c["of"] == "here"}
        self.assertEqual(set(here), {f"s = {2 ** n}" for n in range(1, 7)})
        for points in here.values():
            self.assertEqual([x for x, _ in points], [2048, 20000])
        self.assertIn("paper", {c["of"] for c in found["7"]["curves"]})
        trees = {c["name"]: c["points"] for c in found["10"]["curves"]}
        self.assertEqual(len(trees), 8)
        self.assertEqual({y for _, y in trees["flat"]}, {1.0})
        text = (folder / "paper.html").read_text()
        for title in ("Figure 3", "Figure 7", "Figure 10", "Table 1"):
            self.assertIn(f"<h2>{title}: ", text)

    def test_no_such_figure(self) -> None:
        tool = [str(LIBDIR.parent / "bin" / "artel"), "mpi", "bench", "--paper", "2"]
        done = subprocess.run(tool, capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no such figure: 2 (there are 3, 4,", done.stderr)


class PeersBench(Benchmarks):
    """Intel's benchmarks under the MPIs from PyPI, with our shim and without."""

    def test_imb(self) -> None:
        if not (PEERS / "intel/bin/IMB-MPI1").exists():
            self.skipTest("bench/mpi/install-peers has not put IMB-MPI1 there")
        table, folder = self.artel(
            "--imb",
            "--peers",
            str(PEERS),
            "--ranks",
            "2",
            "--sizes",
            "8,20000",
            "--rounds",
            "1",
            "--operation",
            "bcast,barrier",
            "--only",
            "intel pt2pt,shim",
        )
        rows = json.loads((folder / "collectives-IMB-peers.json").read_text())["results"]
        names = ("intel pt2pt", "Artel shim, intel", "Artel shim, mpich5")
        wanted = {
            (name, *what)
            for name in names
            for what in (("bcast", 8), ("bcast", 20000), ("barrier", 0))
        }
        self.assertEqual({(row["peer"], row["operation"], row["bytes"]) for row in rows}, wanted)
        for row in rows:
            self.assertGreater(row["max_us"], 0)
            self.assertIn(row["peer"], table)


if __name__ == "__main__":
    unittest.main(verbosity=2)
