"""Scripts of the repository as a newcomer calls them: each tells what it is, and refuses what it
does not know before it does anything."""
import subprocess
import unittest

from support import ROOT, clean_environment

SCRIPTS = (
    "quickstart",
    "check",
    "bench/run",
    "bench/programs",
    "bench/summarise",
    "bench/install-peers",
    "bench/mpi/install-peers",
    "packaging/build-archive",
    "packaging/build-deb",
    "packaging/build-wheel",
    "packaging/install-deps",
    "tests/torment/run",
    "tools/lint/check_abi.py",
    "tools/lint/check_format",
)


def call(script, *arguments):
    return subprocess.run(
        [ROOT / script, *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=clean_environment(),
    )


class Scripts(unittest.TestCase):
    def test_help(self):
        for script in SCRIPTS:
            with self.subTest(script):
                done = call(script, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("usage: ", done.stdout.lower())

    def test_unknown_options(self):
        for script in SCRIPTS:
            with self.subTest(script):
                done = call(script, "--no-such-option")
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertTrue(
                    "--no-such-option" in done.stderr or "required" in done.stderr, done.stderr
                )

    def test_wrong_words_are_named_with_what_is_allowed(self):
        for words, told in (
            (["check", "nothing"], "no stage 'nothing'; there are format lint build"),
            (["packaging/install-deps", "nothing"], "no group 'nothing'; there are build,"),
            (["packaging/install-deps"], "no group is named; there are build,"),
            (["packaging/build-archive", "--build", "/no"], "'/no' holds no build; cmake --preset"),
            (["tools/lint/check_format", "no/such"], "no file or folder 'no/such'"),
            (["bench/install-peers", "a", "b"], "one folder at most, not also 'b'"),
            (["bench/run", "--rounds", "0"], "'0' is not a whole number from 1 to 1000"),
            (["bench/run", "--seconds", "0"], "'0' is not a number above 0"),
            (["bench/run", "--near", "x"], "'x' is not a number above 0"),
            (["bench/run", "--threads", "2,x"], "'2,x' is not a list of whole numbers from 1 to"),
            (["bench/run", "--list", "--runtimes", "x"], "no column 'x' in these cases; there are"),
            (["bench/programs", "nothing"], "no workload has 'nothing' in its name"),
        ):
            with self.subTest(words):
                done = call(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(told, done.stderr)


if __name__ == "__main__":
    unittest.main()
