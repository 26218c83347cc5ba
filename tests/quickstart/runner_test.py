"""Tests of tools/quickstart: reading answers, comparing them, counting threads, measuring one run,
the table, the page."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import types
import unittest

SOURCE = pathlib.Path(os.environ.get("ARTEL_SOURCE", pathlib.Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(SOURCE / "tools/quickstart"))

# pylint: disable=wrong-import-position
import agree  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402
import table  # noqa: E402
import threads  # noqa: E402


def a_run(
    wall=1.0, answer=("result: 1",), failure="", runtime="libgomp.so.1.0.0", created=3, exact=True
):
    return measure.Run(wall, 2 * wall, created, exact, 10, 1 << 20, runtime, failure, list(answer))


def a_result(name, stock, artel):
    program = programs.Program(name, "a title", "An <explanation>.", [name], agree.result_lines)
    result = {
        "program": program,
        "commands": {"stock": [name], "artel": ["artel", "run", "--", name]},
    }
    result.update(stock=stock, artel=artel, complaints=agree.disagreements(stock, artel))
    result["shown"] = result["commands"]
    result["summary"] = table.summarize(result)
    return result


class Agreement(unittest.TestCase):
    def test_only_result_lines_count(self):
        text = "hello\nresult: a 1  \ntime: 3 s\n result: indented\nresult: b\n"
        self.assertEqual(agree.result_lines(text), ["result: a 1", "result: b"])

    def test_equal_answers(self):
        self.assertEqual(agree.disagreements([a_run()] * 2, [a_run()] * 2), [])

    def test_a_different_answer_is_named(self):
        complaints = agree.disagreements([a_run(), a_run()], [a_run(), a_run(answer=["result: 2"])])
        self.assertEqual(
            complaints, ["run 2 under artel disagrees: 'result: 2' instead of 'result: 1'"]
        )

    def test_the_stock_runtime_has_to_agree_with_itself(self):
        complaints = agree.disagreements([a_run(), a_run(answer=["result: 2"])], [a_run(), a_run()])
        self.assertEqual(len(complaints), 1)
        self.assertIn("run 2 under stock disagrees", complaints[0])

    def test_no_answer_is_no_agreement(self):
        complaints = agree.disagreements([a_run(answer=[])], [a_run(answer=[])])
        self.assertEqual(
            complaints,
            ["run 1 under stock printed no result", "run 1 under artel printed no result"],
        )

    def test_a_failure_counts_even_when_the_output_agrees(self):
        self.assertEqual(
            agree.disagreements([a_run()], [a_run(failure="exit status 1")]),
            ["run 1 under artel: exit status 1"],
        )

    def test_missing_lines(self):
        self.assertEqual(agree.first_difference(["a", "b"], ["a"]), "1 result lines instead of 2")

    def test_runtime_mix_up_is_noticed(self):
        stock, ours = a_run(), a_run(runtime="libgomp-artel.so.1.0.0")
        self.assertEqual(agree.wrong_runtime([stock], [ours]), "")
        self.assertIn("libgomp.so.1.0.0", agree.wrong_runtime([stock], [stock]))
        self.assertIn("libgomp-artel", agree.wrong_runtime([ours], [ours]))
        self.assertEqual(agree.wrong_runtime([stock], [stock], both_stock=True), "")
        self.assertEqual(agree.wrong_runtime([a_run(runtime=None)], [a_run(runtime=None)]), "")


class Numbers(unittest.TestCase):
    def test_ratio(self):
        self.assertEqual(agree.ratio(6, 3), 2)
        self.assertIsNone(agree.ratio(6, 0))
        self.assertIsNone(agree.ratio(None, 3))

    def test_median_skips_the_unknown(self):
        self.assertEqual(agree.median([None, 3, 1, 2]), 2)
        self.assertIsNone(agree.median([None]))

    def test_geometric_mean(self):
        self.assertAlmostEqual(agree.geometric_mean([0.5, 2]), 1)
        self.assertIsNone(agree.geometric_mean([]))

    def test_text(self):
        self.assertEqual(table.number(1234567), "1,234,567")
        self.assertEqual(table.number(None), "-")
        self.assertEqual(table.number(5, bound="≤"), "≤5")
        self.assertEqual(
            [table.times(value) for value in (None, 1.234, 12.34, 123.4)],
            ["-", "1.23x", "12.3x", "123x"],
        )

    def test_failed_runs_do_not_enter_medians(self):
        result = a_result(
            "x", [a_run(2), a_run(2)], [a_run(1), a_run(100, failure="did not finish")]
        )
        self.assertEqual(result["summary"]["wall"]["artel"], 1)
        self.assertEqual(result["summary"]["wall"]["ratio"], 2)

    def test_table_lines_are_aligned_and_complete(self):
        results = [
            a_result("short", [a_run(2, exact=False)], [a_run(1)]),
            a_result("longer-name", [a_run(2)], [a_run(1, answer=["result: 9"])]),
        ]
        lines = table.as_text(results)
        self.assertEqual(len(lines), 5)
        self.assertIn("2.00x", lines[3])
        self.assertIn("≤3", lines[3])
        self.assertTrue(lines[3].endswith("same") and lines[4].endswith("WRONG"))
        self.assertEqual(len({len(line) for line in lines[1:]}), 1)
        self.assertIn("NOT in order: longer-name", table.verdict(results))


class ThreadCounting(unittest.TestCase):
    def test_threads_of_children_count_and_processes_do_not(self):
        forks = [
            (100, 101, 100),  # a thread of ours
            (102, 103, 102),  # a thread of a child, reported before the child itself
            (100, 102, 102),  # the child
            (7, 9, 7),  # somebody else's thread
            (7, 104, 104),  # and process
        ]
        self.assertEqual(threads.threads_of_tree(forks, 100), 2)

    def test_counter_sees_real_threads(self):
        counter = threads.best_counter()
        self.addCleanup(counter.close)
        source = (
            "import threading as t\nfor _ in range(5):\n x = t.Thread(target=int); x.start();"
            " x.join()"
        )
        with tempfile.TemporaryDirectory() as folder:
            run = measure.run_once([sys.executable, "-c", source], f"{folder}/log", counter)
        self.assertEqual(run.failure, "")
        if run.threads_exact:
            self.assertEqual(run.threads, 5)
        else:
            self.assertGreaterEqual(run.threads, 5)


class Measuring(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.log = f"{self.folder.name}/log"

    def run_it(self, *command, **more):
        return measure.run_once(list(command), self.log, threads.LastPidCounter(), **more)

    def test_success(self):
        run = self.run_it("sh", "-c", "echo result: 5; echo oops >&2")
        self.assertEqual(run.failure, "")
        text = pathlib.Path(self.log).read_text(encoding="utf-8")
        self.assertEqual(agree.result_lines(text), ["result: 5"])
        self.assertIn("oops", text)

    def test_cpu_time_and_switches_of_the_tree(self):
        run = self.run_it(
            sys.executable,
            "-c",
            "import time\nwhile time.process_time() < 0.1: pass\ntime.sleep(0.05)",
        )
        self.assertGreaterEqual(run.cpu, 0.1)
        self.assertGreaterEqual(run.wall, 0.15)
        self.assertGreaterEqual(run.switches, 1)

    def test_failures_in_words(self):
        self.assertEqual(self.run_it("sh", "-c", "exit 3").failure, "exit status 3")
        self.assertEqual(self.run_it("sh", "-c", "kill -SEGV $$").failure, "killed by SIGSEGV")
        self.assertEqual(self.run_it("no-such-program").failure, "no-such-program is not there")

    def test_a_program_that_hangs_is_killed_with_its_children(self):
        run = self.run_it("sh", "-c", "sleep 1000 & echo $!; sleep 1000", allowed=0.3)
        self.assertIn("did not finish within 0.3 s", run.failure)
        child = int(pathlib.Path(self.log).read_text(encoding="utf-8").split()[0])
        # Signals are delivered when the receiver next runs, which on a busy machine takes a while.
        deadline = time.monotonic() + 20
        state = "?"
        while state != "Z" and time.monotonic() < deadline:
            try:
                state = (
                    pathlib.Path(f"/proc/{child}/stat")
                    .read_text(encoding="ascii")
                    .rpartition(")")[2]
                    .split()[0]
                )
            except OSError:
                state = "Z"
            time.sleep(0.01)
        self.assertEqual(state, "Z")

    def test_runtimes_in_maps(self):
        maps = (
            "7f00-7f01 r-xp 00000000 fe:00 12 /usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\n"
            "7f02-7f03 r-xp 00000000 fe:00 12 /usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0\n"
            "7f04-7f05 r-xp 00000000 fe:00 13 /home/a b/lib/libgomp-artel.so.1.0.0\n"
            "7f06-7f07 r-xp 00000000 fe:00 14 /usr/lib/libompstuff/libc.so.6\n"
        )
        self.assertEqual(
            measure.runtimes_in_maps(maps), ["libgomp.so.1.0.0", "libgomp-artel.so.1.0.0"]
        )


class Page(unittest.TestCase):
    def test_the_page_is_self_contained_and_escaped(self):
        try:
            import report
        except ImportError as error:
            self.skipTest(str(error))
        results = [
            a_result("fast", [a_run(2), a_run(2.2)], [a_run(1), a_run(1)]),
            a_result(
                "broken",
                [a_run(1), a_run(1)],
                [a_run(failure="exit status 1"), a_run(failure="exit <2>")],
            ),
        ]
        options = types.SimpleNamespace(runs=2, quick=False, null_test=False)
        about = {
            "machine": {"processor": "A & B", "settings": {"OMP_NUM_THREADS": "3"}},
            "written": "today",
        }
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.html"
            report.write(path, results, about, options, threads.LastPidCounter())
            page = path.read_text(encoding="utf-8")
        self.assertEqual(page.count("data:image/svg+xml;base64,"), 3)
        without_images = re.sub(r"data:image/svg\+xml;base64,[A-Za-z0-9+/=]+", "", page)
        self.assertNotRegex(without_images, r"(src|href)=\"(?!\")")
        self.assertNotIn("<script", page)
        for piece in (
            "A &amp; B",
            "OMP_NUM_THREADS=3",
            "exit &lt;2&gt;",
            "2.10x",
            "artel run -- fast",
            "An &lt;explanation&gt;.",
        ):
            self.assertIn(piece, page)


class CommandLine(unittest.TestCase):
    def quickstart(self, *arguments):
        return subprocess.run(
            [str(SOURCE / "quickstart"), *arguments], capture_output=True, text=True, check=False
        )

    def runner(self, *arguments):
        command = [sys.executable, "-B", str(SOURCE / "tools/quickstart/run.py"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_help_and_wrong_usage(self):
        self.assertIn("Usage: ./quickstart", self.quickstart("--help").stdout)
        for arguments in (
            ["--runs", "0"],
            ["--runs=many"],
            ["--runs"],
            ["--out", ""],
            ["--frobnicate"],
            ["extra"],
        ):
            done = self.quickstart(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertRegex(done.stderr, r"^quickstart: .*\(see --help\)\n$")

    def test_a_missing_build_is_a_clear_error(self):
        with tempfile.TemporaryDirectory() as folder:
            done = self.runner("--build", folder)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(
            done.stderr, r"^quickstart: .*bin/artel is not there; run ./quickstart.*\n$"
        )

    def test_a_missing_drop_in_is_a_clear_error(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "bin").mkdir()
            (pathlib.Path(folder) / "bin/artel").touch()
            done = self.runner("--build", folder)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"^quickstart: .*lib/libgomp-artel.so.1 is not there")

    def test_null_test_end_to_end(self):
        examples = pathlib.Path(os.environ.get("ARTEL_EXAMPLES", SOURCE / "build/examples"))
        with tempfile.TemporaryDirectory() as folder:
            done = self.runner(
                "--build",
                str(examples.parent),
                "--null-test",
                "--quick",
                "--runs",
                "1",
                "--only",
                "queens",
                "--out",
                folder,
            )
            if done.returncode == 3:
                self.skipTest(done.stderr.strip())
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("All pairs of runs gave the same answer.", done.stdout)
            with open(f"{folder}/results.json", encoding="utf-8") as file:
                numbers = json.load(file)
            self.assertTrue(numbers["machine"]["kernel"])
            self.assertEqual([program["name"] for program in numbers["programs"]], ["queens"])
            self.assertGreater(numbers["programs"][0]["runs"]["artel"][0]["wall"], 0)
            self.assertTrue(os.path.getsize(f"{folder}/report.html") > 10000)


class BothSides(unittest.TestCase):
    """The whole runner with a stand-in for `artel run`: a script that preloads a copy of the stock
    runtime."""

    def setUp(self):
        examples = pathlib.Path(os.environ.get("ARTEL_EXAMPLES", SOURCE / "build/examples"))
        if not (examples / "cholesky").exists():
            self.skipTest(f"{examples} is not complete")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)
        (self.build / "examples").symlink_to(examples)
        (self.build / "lib").mkdir()
        (self.build / "bin").mkdir()
        libraries = subprocess.run(
            ["ldd", str(examples / "queens")], capture_output=True, text=True, check=True
        ).stdout
        stock = re.search(r"libgomp\.so\.1 => (\S+)", libraries)[1]
        shutil.copy(stock, self.build / "lib/libgomp-artel.so.1")

    def compare(self, script, *arguments):
        tool = self.build / "bin/artel"
        tool.write_text(
            '#!/bin/sh\n[ "$1" = --version ] && echo stand-in && exit\nshift 2\n' + script,
            encoding="ascii",
        )
        tool.chmod(0o755)
        command = [
            sys.executable,
            "-B",
            str(SOURCE / "tools/quickstart/run.py"),
            "--build",
            str(self.build),
            "--runs=1",
        ]
        done = subprocess.run(
            [*command, "--quick", *arguments], capture_output=True, text=True, check=False
        )
        if done.returncode == 3:
            self.skipTest(done.stderr.strip())
        return done

    def preload(self):
        return f'LD_PRELOAD={self.build}/lib/libgomp-artel.so.1 exec "$@"\n'

    def test_agreement(self):
        done = self.compare(self.preload(), "--only", "ensemble,graphicsmagick")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        numbers = json.loads((self.build / "quickstart/results.json").read_text(encoding="utf-8"))
        ensemble = numbers["programs"][0]["runs"]
        self.assertEqual(ensemble["artel"][0]["runtime"], "libgomp-artel.so.1")
        self.assertNotIn("artel", ensemble["stock"][0]["runtime"])
        self.assertEqual(numbers["machine"]["Artel"], "stand-in")

    def test_a_wrong_answer(self):
        done = self.compare(
            self.preload().replace("exec ", "") + "echo result: more", "--only", "queens"
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn("run 1 under artel disagrees: 2 result lines instead of 1", done.stdout)

    def test_a_wrong_picture(self):
        script = 'for last; do :; done; gm convert -size 8x8 xc:red "$last"\n'
        done = self.compare(script, "--only", "graphicsmagick")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run 1 under artel disagrees: 'picture ", done.stdout)

    def test_no_picture(self):
        done = self.compare("exit 0\n", "--only", "graphicsmagick")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run 1 under artel printed no result", done.stdout)

    def test_a_crash(self):
        done = self.compare("kill -ABRT $$\n", "--only", "queens")
        self.assertEqual(done.returncode, 1)
        self.assertIn("queens: run 1 under artel: killed by SIGABRT", done.stdout)

    def test_the_stock_runtime_on_both_sides(self):
        done = self.compare('exec "$@"\n', "--only", "ensemble")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"ensemble: the run under artel used libgomp\.so\.1")


if __name__ == "__main__":
    unittest.main()
