"""What the tests of hints share: programs in a folder of their own, and the runtimes that are
installed. CPT_TOOL: the driver."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

CPT = os.path.abspath(os.environ.get("CPT_TOOL", "cpt"))


def runtimes():
    """Names of those that are installed."""
    told = subprocess.run([CPT, "run", "--info"], capture_output=True, text=True).stdout
    return re.search(r"installed: ([a-z, ]+)", told)[1].split(", ")


class HintsCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.runtimes = runtimes()

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="cpt-hints-")
        self.at = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def cpt(self, *arguments, status=0, **variables):
        done = subprocess.run(
            [CPT, *arguments],
            capture_output=True,
            text=True,
            cwd=self.at,
            timeout=120,
            env={**os.environ, "OMP_NUM_THREADS": "4", **variables},
        )
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def program(self, text, *options):
        (self.at / "program.c").write_text(text)
        self.cpt("c", "-O1", *options, "program.c", "-o", "program")
