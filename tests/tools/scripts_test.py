"""Scripts of the repository as a newcomer calls them: each tells what it is, and refuses what it
does not know before it does anything."""
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from support import ROOT, clean_environment

SCRIPTS = (
    "quickstart",
    "check",
    "bench/run",
    "bench/programs",
    "bench/summarise",
    "bench/install-peers",
    "bench/busy/run",
    "bench/cpt/run",
    "bench/inlined/run",
    "bench/mpi/install-peers",
    "bench/mpi/run",
    "bench/recursive/run",
    "bench/tbb/run",
    "bench/ult/run",
    "bench/wakeups/run",
    "packaging/build-archive",
    "packaging/build-deb",
    "packaging/build-wheel",
    "packaging/install-deps",
    "tests/torment/run",
    "tools/lint/check_abi.py",
    "tools/lint/check_abidiff.py",
    "tools/lint/check_format",
    "tools/update_docs",
)
ROOMS = "no build; cmake --preset release"


# What scripts take for a build.
SPARE = tempfile.TemporaryDirectory()
FOLDER = SPARE.name
(pathlib.Path(FOLDER) / "lib").mkdir()
(pathlib.Path(FOLDER) / "lib/libartel.so").touch()

# Stand-ins for what makes Debian packages and for what looks at them.
DPKG_BUILDPACKAGE = r"""#!/bin/sh
version=$(sed -n 's/^artel (\(.*\)) .*/\1/p' debian/changelog)
cd ..
touch "artel_${version}_amd64.changes" "artel_${version}_amd64.buildinfo" \
    "artel-doc_${version}_all.deb" "libartel0_${version}_amd64.deb" \
    "libartel-dev_${version}_amd64.deb"
"""
LINTIAN = """#!/bin/sh
echo "lintian $*"
"""


def call(script, *arguments, **variables):
    return subprocess.run(
        [ROOT / script, *arguments],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**clean_environment(), **variables},
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
            (["bench/programs", "--rounds", "0"], "'0' is not a whole number from 1 to 1000"),
            (["bench/busy/run", "/no"], "'/no' holds " + ROOMS),
            (["bench/busy/run", FOLDER, "0 x"], "NEIGHBOURS: 'x' is not a whole number from 0"),
            (["bench/busy/run", FOLDER, "0", "0"], "MEMBERS: '0' is not a whole number from 1"),
            (["bench/busy/run", FOLDER, "--", "0"], "options come first, not '--'"),
            (["bench/wakeups/run", FOLDER, "1", "x"], "no policy 'x'; there are default, auto"),
            (["bench/inlined/run", FOLDER, "x"], "too many arguments, 1 at most"),
            (["bench/cpt/run", "/no"], "'/no' holds " + ROOMS),
            (["bench/tbb/run", "--build", "/no"], "'/no' holds " + ROOMS),
            (["bench/tbb/run", "--rounds", "0"], "'0' is not a whole number from 1"),
            (["bench/ult/run", "--many", "-1"], "'-1' is not a whole number from 0"),
            (["bench/recursive/run", "--threads", "2,x"], "'2,x' is not a list of whole numbers"),
            (["bench/mpi/run", "--near", "nan"], "'nan' is not a number of 0 or more"),
            (["tests/torment/run", "--minutes", "nan"], "'nan' is not a number above 0"),
            (["tests/install/archive", "/no"], "one file is wanted, which packaging/build-archive"),
            (["tests/install/wheel"], "one file is wanted, which packaging/build-wheel"),
            (["tests/install/as_user"], "one folder is wanted"),
            (["tests/consumer/run", "/no"], "one folder is wanted"),
            (["tests/cpp/examples_in_docs.py", "x"], "--update or nothing, not ['x']"),
            (["tools/update_docs", "a", "b"], "one program is wanted, 2 are named"),
            (["check", "quick", "full"], "either quick or full, not both"),
            (["quickstart", "--quick=1"], "--quick takes no value"),
            (["quickstart", "--rounds", "1", "--rounds", "2"], "--rounds is given twice"),
        ):
            with self.subTest(words):
                done = call(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(told, done.stderr)

    def test_old_names_of_options(self):
        for words, told in (
            (["bench/cpt/run", "/no", "--output", "x"], "--output is now called --out"),
            (["bench/ult/run", "--output=x", "--build", "/no"], "--output is now called --out"),
            (["bench/recursive/run", "--output", "x", "?"], "--output is now called --out"),
            (["bench/programs", "--pairs", "1", "?"], "--pairs is now called --rounds"),
            (["bench/mpi/run", "--repeats", "2", "?"], "--repeats is now called --rounds"),
            (["quickstart", "--runs", "0"], "--runs is now called --rounds"),
            (["quickstart", "--runs=0"], "--runs is now called --rounds"),
        ):
            with self.subTest(words):
                done = call(*words)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn(told, done.stderr)

    def test_failures_are_no_wrong_usage(self):
        for words, told in (
            (["tools/update_docs", "/no"], "/no info --dump-options markdown: "),
            (["quickstart", "--out", "/proc/no"], "cannot write the page in '/proc/no'"),
            (["examples/data/hb2mtx.py", "/no", "/no/out"], "/no: No such file"),
        ):
            with self.subTest(words):
                done = call(*words)
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertIn(told, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_output_that_cannot_be_written(self):
        for words, status in ((["bench/run", "--list"], 3), (["bench/programs", "--list"], 1)):
            with self.subTest(words):
                with open("/dev/full", "w", encoding="utf-8") as full:
                    done = subprocess.run(
                        [ROOT / words[0], *words[1:]],
                        stdout=full,
                        stderr=subprocess.PIPE,
                        text=True,
                    )
                self.assertEqual(
                    (done.returncode, done.stderr.count("\n")), (status, 1), done.stderr
                )
                self.assertIn("cannot write the output: No space left", done.stderr)
                reader, writer = os.pipe()
                os.close(reader)
                done = subprocess.run(
                    [ROOT / words[0], *words[1:]], stdout=writer, stderr=subprocess.PIPE, text=True
                )
                os.close(writer)
                self.assertEqual((done.returncode, done.stderr), (-signal.SIGPIPE, ""))

    def test_variables(self):
        done = call("check", "lint", CHECK_JOBS="x")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("CHECK_JOBS wants a number from 1 to 9999, not 'x'", done.stderr)
        done = call("bench/busy/run", FOLDER, PERIOD="x")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("PERIOD: 'x' is not a whole number", done.stderr)

    def test_packages_of_others_in_the_folder_stay(self):
        with tempfile.TemporaryDirectory() as scratch:
            tools, out = pathlib.Path(scratch) / "tools", pathlib.Path(scratch) / "out"
            tools.mkdir()
            for name, text in (("dpkg-buildpackage", DPKG_BUILDPACKAGE), ("lintian", LINTIAN)):
                (tools / name).write_text(text)
                (tools / name).chmod(0o755)
            out.mkdir()
            theirs = {"zlib1g_1_amd64.deb", "zlib_1_amd64.changes", "zlib_1_amd64.buildinfo"}
            before = {"artel_0.0.1-1_amd64.changes", "artel-tools_0.0.1-1_amd64.deb"}
            for name in theirs | before:
                (out / name).touch()
            done = call(
                "packaging/build-deb", "--out", str(out), PATH=f"{tools}:{os.environ['PATH']}"
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            left = {path.name for path in out.iterdir()}
            self.assertEqual(theirs - left, set())
            self.assertEqual(before & left, set())
            self.assertEqual(len(left - theirs), 5, left)
            self.assertRegex(done.stdout, r"lintian .* \./artel_[0-9.]+-1_amd64\.changes\n")
            self.assertNotIn("zlib", done.stdout)


if __name__ == "__main__":
    unittest.main()
