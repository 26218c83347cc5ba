"""loop-model: every way of sharing out runs every iteration (it fails by itself otherwise), in no
less than the ideal time, at every width, and says what is wrong with what it cannot take."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""


def model(*arguments):
    return subprocess.run(
        [PROGRAM, *arguments], capture_output=True, text=True, timeout=120, check=False
    )


class Model(unittest.TestCase):
    def rows(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "rows.json"
            done = model("--out", str(out), *arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return json.loads(out.read_text())["rows"]

    def test_all_iterations_are_run_at_every_width(self):
        for more in ([], ["--count-in-tree"], ["--parked"], ["--fan-out", "0"]):
            for cpus in (1, 2, 3, 16, 64):
                with self.subTest(more=more, cpus=cpus):
                    rows = self.rows(
                        "--machine", f"numa:1 core:{cpus} pu:1", "--per-worker", "37", *more
                    )
                    self.assertEqual(len(rows), 21)
                    for row in rows:
                        self.assertGreaterEqual(row["finish_ns"], row["ideal_ns"] * 0.999, row)
                        self.assertLess(row["last_start_ns"], row["finish_ns"])

    def test_workers_may_share_cpus(self):
        rows = self.rows(
            "--machine", "numa:1 core:2 pu:1", "--workers", "16", "--per-worker", "100"
        )
        self.assertTrue(all(row["finish_ns"] >= row["ideal_ns"] for row in rows))

    def test_fewer_iterations_than_workers(self):
        for iterations in ("1", "3", "15"):
            self.assertTrue(
                self.rows("--machine", "numa:1 core:16 pu:1", "--iterations", iterations)
            )

    def test_same_seed_same_result(self):
        arguments = ("--machine", "numa:2 core:4 pu:2", "--seed", "7")
        self.assertEqual(self.rows(*arguments), self.rows(*arguments))

    def test_costs_are_taken_from_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            costs = pathlib.Path(folder) / "costs.json"
            costs.write_text('{"transfer_ns": {"cache": 500}}')
            machine = (
                "--machine",
                "numa:1 core:2 pu:1",
                "--algorithm",
                "static",
                "--shape",
                "balanced",
            )
            self.assertGreater(
                self.rows(*machine, "--costs", str(costs))[0]["last_start_ns"],
                self.rows(*machine)[0]["last_start_ns"] + 400,
            )
            costs.write_text(
                '{"levels": [{"share": "cache", "cpus": [0, 1], "notification_ns": 500}]}'
            )  # as artel tune writes it
            self.assertGreater(
                self.rows(*machine, "--costs", str(costs))[0]["last_start_ns"],
                self.rows(*machine)[0]["last_start_ns"] + 400,
            )
            shared = (
                "--machine",
                "numa:1 core:2 pu:1",
                "--workers",
                "16",
                "--algorithm",
                "static",
                "--shape",
                "balanced",
            )
            costs.write_text('{"yield_ns": 10000}')
            self.assertGreater(
                self.rows(*shared, "--costs", str(costs))[0]["last_start_ns"], 7 * 10000
            )  # seven turns of eight on a CPU
            costs.write_text('{"call_ns": "much"}')
            done = model("--costs", str(costs))
            self.assertEqual(done.returncode, 1)
            self.assertIn("call_ns must be a number of nanoseconds", done.stderr)

    def test_what_is_wrong_is_said(self):
        for arguments, text in (
            (["--machine", "16 cores"], "'16 cores' is no machine"),
            (["--shape", "round"], "'round' is no shape"),
            (["--algorithm", "best"], "'best' is no algorithm"),
            (["--costs", "/no/such/file"], "cannot read /no/such/file"),
            (["--parked", "--workers", "4", "--machine", "numa:1 core:2 pu:1"], "--parked is for"),
        ):
            done = model(*arguments)
            self.assertEqual(done.returncode, 1, done)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
