"""`artel tune`: what it measures, what it writes and where, its errors; what `artel info` and
programs make of the file."""
import glob
import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

from run_case import SANITIZED
from support import TOOL, artel, clean_environment


def info_of_loops(cache: str, **variables: str) -> dict:
    done = artel("info", "--json", XDG_CACHE_HOME=cache, **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["loops"]


class Tune(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.cache = folder.name

    def tune(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
        return artel(
            "tune", "--runs", "100", *arguments, **({"XDG_CACHE_HOME": self.cache} | variables)
        )

    def files(self) -> list[str]:
        return glob.glob(self.cache + "/**/*", recursive=True)

    def profile(self) -> dict:
        (path,) = glob.glob(f"{self.cache}/artel/tune-*.json")
        return json.loads(pathlib.Path(path).read_text())

    def test_writes_a_profile_that_is_then_in_force(self):
        before = info_of_loops(self.cache, ARTEL_NUM_THREADS="3")
        self.assertIn("artel tune", before["source"])
        done = self.tune("--threads", "2,3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(self.profile()["yield_ns"], 0)
        widths = {w["threads"]: w for w in self.profile()["widths"]}
        self.assertEqual(set(widths), {2, 3})
        for width in widths.values():
            self.assertTrue(
                0
                < width["least_ns"]
                <= width["median_ns"]
                <= width["p90_ns"]
                <= width["timespan_ns"]
                <= width["most_ns"]
            )
            self.assertEqual(sum(b["runs"] for b in width["histogram"]), 100)
            self.assertTrue(1 <= width["fan_out"] < width["threads"])
        self.assertEqual({k["fan_out"] for k in widths[3]["fan_outs"]}, {1, 2})
        after = info_of_loops(self.cache, ARTEL_NUM_THREADS="3")
        self.assertEqual(after["timespan_ns"], widths[3]["timespan_ns"])
        self.assertEqual(after["fan_out"], widths[3]["fan_out"])
        self.assertTrue(after["source"].startswith("measured: " + self.cache), after)
        self.assertTrue(
            info_of_loops(self.cache, ARTEL_NUM_THREADS="7")["source"].startswith("derived")
        )
        # Nothing half-written beside it.
        self.assertEqual([f for f in self.files() if os.path.isfile(f)], [after["profile"]])

    def test_prints_the_figures_with_a_histogram_and_tells_progress_on_stderr(self):
        done = self.tune("--threads", "2")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(
            done.stdout, r"2 workers: all have begun after [\d.]+ (ns|us|ms) in 99 of 100 loops"
        )
        self.assertEqual(done.stdout.count(" |"), 20)
        self.assertRegex(
            done.stdout, r"two threads on one CPU: \d+ ns until it is the other one's turn"
        )
        self.assertIn("#####", done.stdout)
        self.assertIn("99th percentile", done.stdout)
        self.assertIn("written to " + self.cache, done.stdout)
        self.assertIn("artel tune: 2 workers, fan-out 1: ", done.stderr)
        self.assertEqual(self.tune("--threads", "2", "--quiet").stderr, "")

    def test_json_is_the_profile(self):
        done = self.tune("--threads", "2", "--json")
        self.assertEqual(json.loads(done.stdout), self.profile())
        if len(os.sched_getaffinity(0)) > 1:
            for level in self.profile()["levels"]:
                self.assertGreater(level["notification_ns"], 0)
                self.assertGreater(level["copy_ns_per_kib"], 0)
            self.assertTrue(self.profile()["levels"])

    def test_widths_that_are_not_measured_again_are_kept(self):
        self.tune("--threads", "3")
        kept = self.profile()["widths"][0]
        self.tune("--threads", "2")
        self.assertEqual([w["threads"] for w in self.profile()["widths"]], [3, 2])
        self.assertEqual(self.profile()["widths"][0], kept)

    def test_a_dry_run_writes_nothing_and_needs_no_place(self):
        self.assertEqual(self.tune("--threads", "2", "--dry-run").returncode, 0)
        self.assertEqual(self.files(), [])
        done = self.tune("--threads", "2", "--dry-run", XDG_CACHE_HOME="", HOME="")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_home_is_the_fallback(self):
        done = self.tune("--threads", "2", XDG_CACHE_HOME="", HOME=self.cache)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(glob.glob(self.cache + "/.cache/artel/tune-*.json")), 1)

    def test_without_a_place_it_says_so_before_it_measures(self):
        done = self.tune(XDG_CACHE_HOME="relative", HOME="")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("no place for the profile", done.stderr)

    def test_a_place_that_cannot_be_written_is_an_error(self):
        occupied = os.path.join(self.cache, "artel")
        pathlib.Path(occupied).write_text("")  # a file where the folder should be
        done = self.tune("--threads", "2", "--quiet")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^artel tune: cannot write .*\n$")

    @unittest.skipIf(SANITIZED, "sanitizers need more address space")
    def test_too_few_threads_are_an_error(self):
        """The stack of one thread is given, that of a second one not."""
        stack = 1 << 30
        hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
        if hard != resource.RLIM_INFINITY and hard < stack:
            self.skipTest("no right to large stacks")

        def limited():
            resource.setrlimit(resource.RLIMIT_STACK, (stack, hard))
            resource.setrlimit(resource.RLIMIT_AS, (stack * 3 // 2, stack * 3 // 2))

        done = subprocess.run(
            [TOOL, "tune", "--threads", "2", "--quiet", "--dry-run"],
            capture_output=True,
            text=True,
            timeout=60,
            env=clean_environment(),
            preexec_fn=limited,
        )
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertRegex(done.stderr, r"^artel tune: the system gives no two threads: .*\n$")

    def test_output_that_cannot_be_written_is_an_error(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for arguments in (["tune", "--threads", "2", "--quiet", "--dry-run"], ["info"]):
                done = subprocess.run(
                    [TOOL, *arguments],
                    stdout=full,
                    stderr=subprocess.PIPE,
                    text=True,
                    timeout=120,
                    check=False,
                    env=clean_environment(XDG_CACHE_HOME=self.cache),
                )
                self.assertEqual(done.returncode, 1, arguments)
                self.assertIn("cannot write the output: No space left on device", done.stderr)

    def test_wrong_command_lines(self):
        for arguments in (
            ["--runs", "99"],
            ["--runs", "many"],
            ["--threads", "1"],
            ["--threads", "1025"],
            ["--threads", "2,x"],
            ["extra"],
            ["--frobnicate"],
        ):
            done = artel("tune", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_a_bad_profile_is_ignored_and_info_says_why(self):
        self.tune("--threads", "2")
        (path,) = glob.glob(f"{self.cache}/artel/tune-*.json")
        good = pathlib.Path(path).read_text()
        for text, why in (
            ("{", "it is not JSON"),
            (good.replace('"machine": "', '"machine": "no '), "it is of another machine"),
            (good.replace('"fan_out": 1', '"fan_out": 0', 1), "a number in it is out of range"),
        ):
            pathlib.Path(path).write_text(text)
            loops = info_of_loops(self.cache, ARTEL_NUM_THREADS="2")
            self.assertIn(why, loops["source"])
            self.assertGreater(loops["timespan_ns"], 0)
        os.remove(path)
        os.mkfifo(path)  # nobody writes into it
        self.assertIn(
            "it is not a regular file", info_of_loops(self.cache, ARTEL_NUM_THREADS="2")["source"]
        )
        os.remove(path)
        self.assertEqual(self.tune("--threads", "3").returncode, 0)  # which replaces it
        self.assertTrue(
            info_of_loops(self.cache, ARTEL_NUM_THREADS="3")["source"].startswith("measured")
        )

    def test_an_interrupted_run_leaves_the_profile_alone(self):
        self.tune("--threads", "2")
        before = self.profile()
        child = subprocess.Popen(
            [TOOL, "tune", "--threads", "2", "--runs", "10000000"],
            stderr=subprocess.PIPE,
            text=True,
            env=clean_environment(XDG_CACHE_HOME=self.cache),
            start_new_session=True,
        )
        child.stderr.readline()  # it measures
        os.killpg(child.pid, 2)
        child.wait(timeout=30)
        child.stderr.close()
        self.assertNotEqual(child.returncode, 0)
        self.assertEqual(self.profile(), before)


if __name__ == "__main__":
    unittest.main()
