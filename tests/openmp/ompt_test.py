#!/usr/bin/env python3
"""Tools (OMPT) under the drop-in: a tool of our own counts what a program does. ompt_test.py
LIBRARY TOOL PROGRAM..."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

THREADS, TASKS, ITERATIONS, TEAMS, ROUNDS = 4, 50, 400, 3, 5


def run(program, preload=(), **variables):
    environment = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("OMP_", "GOMP_", "KMP_", "LD_", "ARTEL_"))
    }
    environment["LD_PRELOAD"] = ":".join([LIBRARY, *preload])
    environment.update(variables)
    return subprocess.run(
        [program, str(ROUNDS)], env=environment, capture_output=True, text=True, timeout=200
    )


def counts(output):
    """What the tool prints at its end, by name; None if it did not."""
    line = re.search(r"^tool: (.*)$", output, re.M)
    if line is None:
        return None
    words = line[1].split()
    return {
        name: [int(n) for n in value.split("/")] for name, value in zip(words[::2], words[1::2])
    }


class Tool(unittest.TestCase):
    def judge(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("good", done.stdout)
        found = counts(done.stdout)
        self.assertIsNotNone(found, done.stdout + done.stderr)
        self.assertEqual(found["bad"], [0], done.stderr)
        for name in ("threads", "regions", "implicit", "tasks", "syncs", "waits", "works"):
            begun, ended = found[name]
            self.assertEqual(begun, ended, f"{name}: {done.stdout}")
        self.assertEqual(len(set(found["locks"])), 1, done.stdout)
        # A league is told as a region, and so is what the runtime begins for each team.
        self.assertEqual(found["regions"][0], ROUNDS * (1 + THREADS + 1 + 1 + TEAMS * 2))
        # One initial task of the program and of each team, and one of every member.
        self.assertEqual(
            found["implicit"][0], 1 + ROUNDS * (THREADS + THREADS * 2 + 2 + TEAMS * (2 + 2))
        )
        self.assertEqual(found["tasks"][0], 1 + ROUNDS * (TASKS + 2))
        self.assertEqual(found["switches"][0], found["tasks"][0])
        self.assertEqual(found["dependences"][0], ROUNDS * 2)
        self.assertEqual(found["iterations"][0], ROUNDS * ITERATIONS)
        self.assertGreaterEqual(found["threads"][0], THREADS)

    def test_by_environment(self):
        for program in PROGRAMS:
            self.judge(run(program, OMP_TOOL_LIBRARIES=TOOL))

    def test_preloaded(self):
        for program in PROGRAMS:
            self.judge(run(program, preload=[TOOL]))

    def test_few_and_many_workers(self):
        for workers in ("1", "16"):
            self.judge(run(PROGRAMS[0], OMP_TOOL_LIBRARIES=TOOL, ARTEL_NUM_THREADS=workers))

    def test_disabled(self):
        done = run(PROGRAMS[0], preload=[TOOL], OMP_TOOL="disabled", OMP_TOOL_VERBOSE_INIT="stderr")
        self.assertEqual(done.returncode, 0)
        self.assertIsNone(counts(done.stdout))
        self.assertIn("OMP tool disabled.", done.stderr)

    def test_bad_setting(self):
        done = run(PROGRAMS[0], OMP_TOOL="perhaps")
        self.assertEqual(done.returncode, 0)
        self.assertIn("OMP_TOOL", done.stderr)
        self.assertIn("perhaps", done.stderr)

    def test_broken_libraries(self):
        with tempfile.NamedTemporaryFile(suffix=".so") as no_library:
            no_library.write(b"no library")
            no_library.flush()
            done = run(
                PROGRAMS[0],
                OMP_TOOL_LIBRARIES=f"/nowhere/tool.so:{no_library.name}",
                OMP_TOOL_VERBOSE_INIT="stderr",
            )
        self.assertEqual(done.returncode, 0)
        self.assertIsNone(counts(done.stdout))
        self.assertIn(
            "Opening /nowhere/tool.so... Failed: /nowhere/tool.so: cannot open shared object file",
            done.stderr,
        )
        self.assertRegex(
            done.stderr, r"Opening \S+\.so\.\.\. Failed: .*(too short|invalid ELF header)"
        )
        self.assertIn("No OMP tool loaded.", done.stderr)

    def test_tool_that_declines(self):
        done = run(
            PROGRAMS[0],
            OMP_TOOL_LIBRARIES=TOOL,
            OMP_TOOL_VERBOSE_INIT="stderr",
            OMPT_TOOL_DECLINES="1",
        )
        self.assertEqual(done.returncode, 0)
        self.assertIsNone(counts(done.stdout))
        self.assertIn("Found but not using the OMPT interface.", done.stderr)

    def test_report_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log")
            self.judge(run(PROGRAMS[0], OMP_TOOL_LIBRARIES=TOOL, OMP_TOOL_VERBOSE_INIT=path))
            with open(path, encoding="utf-8") as f:
                self.assertIn("Tool was started and is using the OMPT interface.", f.read())

    def test_no_tool(self):
        done = run(PROGRAMS[0])
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    LIBRARY, TOOL, *PROGRAMS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
