"""artel bench as users call it: its command line and the comparison of two files. No benchmark is
run here."""
import json
import pathlib
import subprocess
import tempfile
import unittest

from support import TOOL, artel, clean_environment


def results(median, processes=6):
    """A results.json with one figure of ours and one of a peer."""
    lines = [
        {"median": median * (1 + 0.001 * i), "min": median, "p90": median, "unit": "us"}
        for i in range(processes)
    ]
    peer = [{"median": 5 + 0.001 * i, "min": 5, "p90": 5, "unit": "us"} for i in range(processes)]
    return {
        "figures": {
            "loops.scan/1024@2": {
                "section": "loops scan",
                "columns": ["artel", "libgomp-static"],
                "ours": ["artel"],
                "errors": {},
                "results": {},
                "processes": {"artel": lines, "libgomp-static": peer},
            }
        }
    }


class Bench(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return str(path)

    def compare(self, before, after):
        done = artel("bench", "--compare", self.file("a.json", before), self.file("b.json", after))
        if "needs scipy" in done.stderr:
            self.skipTest("scipy is not installed")
        return done

    def test_lists_the_loop_suite_and_nothing_else(self):
        done = artel("bench", "--list", "--threads", "3")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        names = done.stdout.split()
        self.assertIn("loops.spmv-hyperbolic@3", names)
        self.assertTrue(
            all(name.startswith("loops.") and name.endswith("@3") for name in names), names
        )

    def test_names_choose(self):
        self.assertEqual(
            artel("bench", "--list", "--threads", "2", "transpose").stdout.split(),
            ["loops.mtranspose@2"],
        )

    def test_wrong_usage_is_told_and_gives_2(self):
        for words in (
            ["--threads", "0"],
            ["--threads", "two"],
            ["--quick", "--full"],
            ["--compare", "one.json"],
            ["--against", "nobody"],
            ["no such benchmark"],
            ["--matrix", "/no/such/file"],
        ):
            with self.subTest(words):
                done = artel("bench", *words)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("artel bench", done.stderr)

    def test_what_is_wrong_is_named_with_what_there_is(self):
        for words, told in (
            (["no such benchmark"], "no case has 'no such benchmark' in its name; --list shows"),
            (["--against", "nobody"], "there is no peer 'nobody'; there are libgomp, libomp,"),
            (["--compare", "/no/such.json", "b"], "artel bench: /no/such.json: No such file or d"),
            (["--compare", "/dev/null", "b"], "artel bench: /dev/null: not a results.json of"),
        ):
            with self.subTest(words):
                done = artel("bench", *words)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(told, done.stderr)
                # Options of bench/run that `artel bench` has not.
                self.assertNotIn("--libraries", done.stderr)

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [TOOL, "bench", "--list"],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                env=clean_environment(),
            )
        self.assertEqual(done.returncode, 3)
        self.assertEqual(
            done.stderr, "artel bench: cannot write the output: No space left on device\n"
        )

    def test_comparison_tells_slower_by_status_1(self):
        done = self.compare(results(1.0), results(1.5))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"slower +x1\.500 +loops\.scan/1024@2 +artel")

    def test_comparison_of_equals_gives_0(self):
        done = self.compare(results(1.0), results(1.0))
        self.assertEqual(
            (done.returncode, "Nothing of ours is slower" in done.stdout), (0, True), done.stdout
        )

    def test_files_that_hold_no_results_give_2(self):
        good = self.file("good.json", results(1.0))
        for name, content in (("empty.json", ""), ("other.json", "{}"), ("list.json", "[1]")):
            with self.subTest(name):
                done = artel("bench", "--compare", good, self.file(name, content))
                self.assertEqual(done.returncode, 2)
                self.assertIn(name, done.stderr)
        self.assertEqual(artel("bench", "--compare", good, "/no/such.json").returncode, 2)


if __name__ == "__main__":
    unittest.main()
