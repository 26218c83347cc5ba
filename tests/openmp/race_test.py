#!/usr/bin/env python3
"""ThreadSanitizer with LLVM's tool Archer under the drop-in: no false alarm, and races are found.
race_test.py LIBRARY ARCHER FOLDER PREFIX... FOLDER has, for each PREFIX (a compiler),
PREFIXrace_free, PREFIXraces and PREFIXyielding_holders; and ompt_program, which is compiled without
ThreadSanitizer."""
import os
import subprocess
import sys
import unittest

ALARM = "WARNING: ThreadSanitizer: data race"
CANNOT = 77


def run(program, *arguments, tool=True, **variables):
    environment = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("OMP_", "GOMP_", "KMP_", "LD_", "ARTEL_", "TSAN_", "ARCHER_"))
    }
    environment["TSAN_OPTIONS"] = "ignore_noninstrumented_modules=1:symbolize=0"
    environment["LD_PRELOAD"] = LIBRARY
    if tool:
        environment["OMP_TOOL_LIBRARIES"] = ARCHER
    environment.update(variables)
    # Some versions of ThreadSanitizer cannot live with all address layouts.
    done = subprocess.run(
        ["setarch", "-R", program, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=200,
    )
    return done.returncode, done.stdout + done.stderr


class Races(unittest.TestCase):
    def test_no_false_alarm(self):
        for prefix in PREFIXES:
            for settings in (
                {"ARTEL_NUM_THREADS": "1"},
                {"ARTEL_NUM_THREADS": "2"},
                {"ARTEL_NUM_THREADS": "16"},
                {"ARTEL_MEMBERS": "threads"},
            ):
                with self.subTest(prefix, **settings):
                    status, output = run(os.path.join(FOLDER, prefix + "race_free"), **settings)
                    self.assertNotIn(ALARM, output)
                    self.assertIn("race_free: good", output)
                    self.assertEqual(status, 0, output)

    def test_locks_are_seen_however_they_were_waited_for(self):
        for prefix in PREFIXES:
            for lock in ("mutex", "recursive", "checked", "both", "condition", "turns", "server"):
                with self.subTest(prefix, lock=lock):
                    status, output = run(
                        os.path.join(FOLDER, prefix + "yielding_holders"),
                        lock,
                        "8",
                        ARTEL_NUM_THREADS="2",
                    )
                    self.assertNotIn("WARNING: ThreadSanitizer", output)
                    self.assertIn("good", output)
                    self.assertEqual(status, 0, output)

    def test_races_are_found(self):
        for prefix in PREFIXES:
            for kind in ("members", "tasks", "teams"):
                with self.subTest(prefix + kind):
                    members = "threads" if kind == "tasks" else "light"
                    status, output = run(
                        os.path.join(FOLDER, prefix + "races"), kind, ARTEL_MEMBERS=members
                    )
                    self.assertIn(ALARM, output)
                    self.assertIn("races: done", output)
                    self.assertEqual(status, 66, output)  # ThreadSanitizer's

    def test_it_is_the_tool_that_knows(self):
        for prefix in PREFIXES:
            self.assertIn(
                ALARM,
                run(os.path.join(FOLDER, prefix + "race_free"), tool=False, OMP_TOOL="disabled")[1],
            )

    def test_archer_is_found_by_itself(self):
        # As under LLVM's runtime: where the dynamic linker finds it, and in no program without
        # ThreadSanitizer.
        where = {"LD_LIBRARY_PATH": os.path.dirname(ARCHER), "OMP_TOOL_VERBOSE_INIT": "stderr"}
        status, output = run(os.path.join(FOLDER, PREFIXES[0] + "race_free"), tool=False, **where)
        self.assertIn("Using archer tool.\nOpening libarcher.so... Success.", output)
        self.assertIn("Tool was started", output)
        self.assertNotIn(ALARM, output)
        self.assertEqual(status, 0)
        self.assertIn(
            "No OMP tool loaded.", run(os.path.join(FOLDER, "ompt_program"), tool=False, **where)[1]
        )


if __name__ == "__main__":
    LIBRARY, ARCHER, FOLDER = sys.argv[1:4]
    PREFIXES = sys.argv[4:]
    del sys.argv[1:]
    if subprocess.run(["setarch", "-R", "true"], capture_output=True).returncode != 0:
        print("setarch -R is not allowed here")
        sys.exit(CANNOT)
    unittest.main()
