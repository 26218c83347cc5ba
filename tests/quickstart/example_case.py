"""What the tests of the example programs share: how one is called, and what its answer is.

ARTEL_TEST_EXAMPLES: where the programs are."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(
    os.environ.get("ARTEL_TEST_SOURCE", pathlib.Path(__file__).resolve().parents[2])
)
EXAMPLES = pathlib.Path(os.environ.get("ARTEL_TEST_EXAMPLES", SOURCE / "build/examples"))
BANNER = "%%MatrixMarket matrix coordinate real symmetric\n"


def call(name, *arguments):
    program = EXAMPLES / name
    if not program.exists():
        raise unittest.SkipTest(f"{program} was not built")
    return subprocess.run(
        [str(program), *arguments], capture_output=True, text=True, check=False, timeout=120
    )


def answer(done):
    return [line for line in done.stdout.splitlines() if line.startswith("result:")]


class Example(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def same_answer(self, name, *variants):
        """All variants succeed and print the same, not empty, answer, which is returned."""
        answers = []
        for arguments in variants:
            done = call(name, *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            answers.append(answer(done))
        self.assertTrue(answers[0])
        for other in answers[1:]:
            self.assertEqual(other, answers[0])
        return answers[0]

    def refused(self, status, message, name, *arguments):
        """The program ends with this status and one line that matches the message."""
        done = call(name, *arguments)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertRegex(done.stderr, f"^{name}: {message}\n$")
        self.assertEqual(answer(done), [])
