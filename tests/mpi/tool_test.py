#!/usr/bin/env python3
"""`artel mpi tune`, `info` and `trial`, whose ranks are processes without an MPI library."""
from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest
import unittest.mock

from jobs import LIBDIR


class Tool(unittest.TestCase):
    """`artel mpi` among processes of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = pathlib.Path(folder.name)

    def start(self, *words: str) -> subprocess.Popen:
        tool = subprocess.Popen(
            [str(LIBDIR.parent / "bin" / "artel"), "mpi", *words],
            env={**os.environ, "XDG_CACHE_HOME": str(self.cache)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(tool.communicate)
        self.addCleanup(tool.kill)
        return tool

    def output(self, *words: str) -> dict:
        tool = self.start(*words)
        out, errors = tool.communicate(timeout=200)
        self.assertEqual(tool.returncode, 0, out + errors)
        return json.loads(out)

    def test_tune_keeps_what_jobs_then_use(self) -> None:
        self.assertEqual(self.output("info", "--json")["trees"]["rows"], 0)
        found = self.output("tune", "-n", "2,4", "--seconds", "0.2", "--json")
        for report in found["reports"]:
            for row in report["sizes"]:
                self.assertEqual(len(row["trees_us"]), 8)
                self.assertTrue(all(time > 0 for time in row["trees_us"].values()), row)
        file = pathlib.Path(found["file"])
        self.assertEqual(file.parent, self.cache / "artel")
        self.assertEqual(self.output("info", "--json")["trees"]["rows"], 20)
        # What is in the file is what jobs do.
        title, machine, *_ = file.read_text().splitlines()
        rows = [
            f"group 4 {how} bytes 64 tree kary 3\ngroup 4 {how} bytes 65536 tree chain\n"
            for how in ("roomy", "crowded")
        ]
        file.write_text(f"{title}\n{machine}\n{''.join(rows)}")
        report = self.output("tune", "-n", "4", "--seconds", "0.2", "--json", "--dry-run")[
            "reports"
        ][0]
        self.assertTrue(report["in_force"].startswith("kary 3 up to"), report["in_force"])
        self.assertTrue(report["in_force"].endswith("then chain, as measured"), report["in_force"])
        self.assertEqual({row["bytes"]: row["chosen"] for row in report["sizes"]}[1 << 20], "chain")
        file.write_text("something else")
        self.assertEqual(
            self.output("info", "--json")["trees"]["problem"], "it is of another version"
        )

    def test_info_says_where_numbers_come_from(self) -> None:
        def queue(**settings: str) -> dict[str, tuple[str, str]]:
            variables = {f"ARTEL_MPI_{name.upper()}": value for name, value in settings.items()}
            with unittest.mock.patch.dict(os.environ, variables):
                rows = self.output("info", "--json")["queue"]
            return {row["name"]: (row["value"], row["origin"]) for row in rows}

        found = queue(rule="fragment", fragment="16K", largest="1M", sets="1")
        self.assertEqual(found["f"], ("16384", "ARTEL_MPI_FRAGMENT in whole pages"))
        self.assertEqual(found["s"][0], "64")
        self.assertIn("rule 2: m / f", found["s"][1])
        self.assertIn("and fits", found["limit"][1])
        ranks = max(os.cpu_count() or 1, 2)
        limit = ranks * (1 << 20) + (64 << 10)
        found = queue(rule="fragment", fragment="16K", largest="1M", sets="1", limit=str(limit))
        self.assertEqual(found["limit"][0], str(limit))
        self.assertIn("and is cut to", found["limit"][1])
        self.assertIn("does not fit", queue(limit="64K")["limit"][1])

    def test_trials(self) -> None:
        """Each case with its own settings; what was set up is what was asked for."""
        cases = [
            "bytes=64K,protocol=paper,fragment=8K,length=4,sets=1,tree=chain",
            "bytes=20K,protocol=paper,fragment=4K,length=2,sets=2,tree=kary,k=2",
            "bytes=64K,rule=message,largest=64K",
        ]
        found = self.output(
            "trial",
            "-n",
            "3",
            "--rounds",
            "3",
            "--calls",
            "3",
            "--rotate",
            "--off-cache",
            "300K",
            "--json",
            *cases,
        )
        self.assertEqual([row["case"] for row in found["cases"]], cases)
        self.assertEqual(
            [
                (row["bytes"], row["fragment"], row["queue_bytes"], row["sets"])
                for row in found["cases"]
            ],
            [(65536, 8192, 32768, 1), (20480, 4096, 8192, 2), (65536, 4096, 65536, 4)],
        )
        for row in found["cases"]:
            self.assertEqual(len(row["runs_us"]), 3)
            self.assertEqual(row["us"], sorted(row["runs_us"])[1])
            self.assertTrue(all(value > 0 for value in row["times"].values()), row)

    def test_steps(self) -> None:
        """The paper's figure 3b, of every rank; no step begins before the rank's last one has
        ended."""
        found = self.output(
            "trial",
            "--steps",
            "-n",
            "3",
            "--json",
            "bytes=24K,protocol=paper,fragment=4K,length=4,sets=1,tree=chain",
        )
        ranks = found["cases"][0]["ranks"]
        self.assertEqual(
            [step["step"] for step in ranks[0]],
            ["WS", "SO", *4 * ["C", "N"], "WS", "SO", *2 * ["C", "N"]],
        )
        for rank in ranks[1:]:
            self.assertEqual(
                [step["step"] for step in rank],
                ["WO", *4 * ["W", "N", "C"], "A", "WO", *2 * ["W", "N", "C"], "A"],
            )
        for rank in ranks:
            times = [time for step in rank for time in (step["begin_us"], step["end_us"])]
            self.assertEqual(times, sorted(times))

    def test_wrong_trials(self) -> None:
        for words, told in (
            (("bytes=1K,tre=flat",), "there is no 'tre'"),
            (("bytes=1K,tree=oak",), "allowed are flat, chain"),
            (("fragment=8K",), "bytes=NUMBER"),
            (("bytes=0",), "1 to 1G"),
            (("bytes=8K,length=4",), "fragment=BYTES"),
            (("bytes",), "NAME=VALUE"),
            (("--runs", "3", "bytes"), "--runs is now called --rounds"),
            (("--runs", "3", "--rounds", "3", "bytes=1K"), "--runs: is the old name of --rounds"),
            (("bytes=1K,tree=flat,bytes=2K",), "'bytes' is there twice"),
            (("--steps", "bytes=8K"), "protocol=paper"),
            (("--off-cache", "x", "bytes=8K"), "--off-cache x"),
            (("--steps", "bytes=64M,protocol=paper,fragment=4K,length=4"), "a larger fragment"),
        ):
            with self.subTest(words=words):
                tool = self.start("trial", *words)
                out, errors = tool.communicate(timeout=100)
                self.assertEqual((tool.returncode, out), (2, ""), errors)
                self.assertIn(told, errors)

    def test_ranks_end_with_one_of_them(self) -> None:
        for victim in (0, 2):
            with self.subTest(victim=victim):
                tool = self.start("tune", "-n", "4", "--seconds", "3000", "--dry-run")
                self.assertIn("bytes", tool.stderr.readline())
                ranks = (
                    pathlib.Path(f"/proc/{tool.pid}/task/{tool.pid}/children").read_text().split()
                )
                self.assertEqual(len(ranks), 4)
                os.kill(int(ranks[victim]), signal.SIGKILL)
                self.assertIn("4 ranks", tool.communicate(timeout=60)[1].splitlines()[-1])
                self.assertEqual(tool.returncode, 1)
                for rank in ranks:
                    self.assertFalse(pathlib.Path(f"/proc/{rank}").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
