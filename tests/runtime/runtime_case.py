"""What the tests of the drop-in share: programs are run as whole processes under LD_PRELOAD.

ARTEL_TEST_DROP_IN: the library; ARTEL_TEST_PROGRAMS: the folder of the programs."""

import os
import subprocess
import unittest

DROP_IN = os.environ.get("ARTEL_TEST_DROP_IN", "")
FOLDER = os.environ.get("ARTEL_TEST_PROGRAMS", "")


def run(program, *arguments, before=None, timeout=120, **variables):
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "ARTEL_", "GOMP_"))
    }
    environment.update({"LD_PRELOAD": DROP_IN, **variables})
    return subprocess.run(
        [os.path.join(FOLDER, program), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        preexec_fn=before,
        check=False,
    )


class RuntimeCase(unittest.TestCase):
    def good(self, expected, *arguments, **more):
        done = run(*arguments, **more)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, expected, ""))
