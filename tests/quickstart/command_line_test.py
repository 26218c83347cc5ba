"""tools/quickstart as a command, and both sides of a comparison played by a program."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from runner_case import SOURCE, programs


def command_line(pid):
    """The words of a process that runs; empty of one that has ended."""
    try:
        return pathlib.Path("/proc", pid, "cmdline").read_bytes()
    except OSError:
        return b""


class CommandLine(unittest.TestCase):
    def quickstart(self, *arguments):
        return subprocess.run(
            [str(SOURCE / "quickstart"), *arguments], capture_output=True, text=True, check=False
        )

    def runner(self, *arguments, **variables):
        command = [sys.executable, "-B", str(SOURCE / "tools/quickstart/run.py"), *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env=os.environ | variables
        )

    def test_help_and_wrong_usage(self):
        self.assertIn("Usage: ./quickstart", self.quickstart("--help").stdout)
        for arguments in (
            ["--rounds", "0"],
            ["--rounds=many"],
            ["--rounds"],
            ["--out", ""],
            ["--only", "queens,nothing"],
            ["--only", ""],
            ["--frobnicate"],
            ["extra"],
        ):
            done = self.quickstart(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertRegex(done.stderr, r"^quickstart: .*\(see --help\)\n$")

    def test_names_are_known_before_the_build(self):
        text = (SOURCE / "quickstart").read_text(encoding="utf-8")
        names = re.search(r"all_programs=\(([^)]*)\)", text)[1].split()
        there = programs.all_programs("examples", "work", True)
        self.assertEqual(names, [program.name for program in there])

    def test_being_stopped_leaves_no_build_behind(self):
        """A copy of the script, whose first step is played by one that starts another process."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            shutil.copy(SOURCE / "quickstart", folder)
            (folder / "packaging").mkdir()
            for name, text in (
                ("packaging/install-deps", "sleep 300 &\necho $! >pid.new\nmv pid.new pid\nwait\n"),
                ("sudo", ""),
            ):
                (folder / name).write_text("#!/bin/sh\n" + text, encoding="ascii")
                (folder / name).chmod(0o755)
            started = subprocess.Popen(
                [folder / "quickstart"],
                stdout=subprocess.DEVNULL,
                env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"},
            )
            deadline = time.monotonic() + 60
            while not (folder / "pid").exists() and time.monotonic() < deadline:
                time.sleep(0.02)
            below = (folder / "pid").read_text(encoding="ascii").strip()
            while b"sleep" not in command_line(below) and time.monotonic() < deadline:
                time.sleep(0.02)
            self.assertIn(b"sleep", command_line(below))
            started.terminate()
            self.assertEqual(started.wait(timeout=60), 130)
            while command_line(below) and time.monotonic() < deadline:
                time.sleep(0.02)
            self.assertEqual(command_line(below), b"")

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
        """On a terminal that does not know all letters of the folder's name."""
        examples = pathlib.Path(os.environ.get("ARTEL_TEST_EXAMPLES", SOURCE / "build/examples"))
        with tempfile.TemporaryDirectory() as scratch:
            folder = f"{scratch}/results ≤ 5"
            done = self.runner(
                "--build",
                str(examples.parent),
                "--null-test",
                "--quick",
                "--rounds",
                "1",
                "--only",
                "queens",
                "--out",
                folder,
                PYTHONIOENCODING="latin-1",
            )
            if done.returncode == 3:
                self.skipTest(done.stderr.strip())
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("All pairs of runs gave the same answer.", done.stdout)
            self.assertIn("results ? 5/report.html", done.stdout)
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
        examples = pathlib.Path(os.environ.get("ARTEL_TEST_EXAMPLES", SOURCE / "build/examples"))
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
            "--rounds=1",
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
