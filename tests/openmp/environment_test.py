#!/usr/bin/env python3
"""OMP_ variables: the same warnings as stock libgomp for bad values, and what OMP_DISPLAY_ENV shows
for good ones. environment_test.py LIBRARY PROGRAM (any program that starts no region with more than
a few threads)"""
import os
import subprocess
import sys
import unittest

BAD = {
    "OMP_NUM_THREADS": ["abc", "0x4", "0", "-3", "4,0", "4,", "", "99999999999999999999", "4 5"],
    "OMP_SCHEDULE": [
        "foo",
        "dynamic,x",
        "monotonic",
        "guided,",
        "dynamic,3 z",
        "nonmonotonic;static",
    ],
    "OMP_DYNAMIC": ["5", "yes", "truee"],
    "OMP_NESTED": ["u", "1"],
    "OMP_MAX_ACTIVE_LEVELS": ["-1", "x"],
    "OMP_THREAD_LIMIT": ["0", "x", "-5"],
    "OMP_STACKSIZE": ["1z", "k", "-4", "1 k k"],
    "OMP_WAIT_POLICY": ["x", "activ"],
    "OMP_CANCELLATION": ["k", "0"],
    "OMP_MAX_TASK_PRIORITY": ["z", "-1"],
    "OMP_PROC_BIND": ["q", "close,", "true,close", "close spread"],
    "OMP_PLACES": [
        "{0",
        "places",
        "{a}",
        "{0},,{1}",
        "{0}:100000",
        "{0:100000}",
        "{0}:2:99999999999",
        "{0},!{0}",
        "!{0}",
        "{0,!0}",
        "{0:2},!{0}",
    ],
    "OMP_DEFAULT_DEVICE": ["-4", "x"],
    "OMP_TEAMS_THREAD_LIMIT": ["z", "0"],
    "OMP_NUM_TEAMS": ["0", "-1"],
    "OMP_DISPLAY_ENV": ["maybe"],
    "OMP_ALLOCATOR": ["z", "3"],
    "OMP_DISPLAY_AFFINITY": ["3"],
    "OMP_TARGET_OFFLOAD": ["z"],
    "GOMP_SPINCOUNT": ["z"],
}

GOOD = {
    "OMP_NUM_THREADS": ["4", " 3 , 2,1 ", "16,8", "08", "010,012"],
    "OMP_SCHEDULE": [
        "dynamic",
        "DYNAMIC , 4",
        "static",
        "guided,7",
        "auto",
        "monotonic:dynamic,3",
        "dynamic,020",
        "nonmonotonic:static",
        "static,5",
    ],
    "OMP_DYNAMIC": ["true", " FALSE "],
    "OMP_NESTED": ["true", "false"],
    "OMP_MAX_ACTIVE_LEVELS": ["3", "1", "100000"],
    "OMP_THREAD_LIMIT": ["9", "4000000000"],
    "OMP_STACKSIZE": ["1m", "2000", "512 k", "3145728B", "1G"],
    "OMP_CANCELLATION": ["TRUE"],
    "OMP_MAX_TASK_PRIORITY": ["5"],
    "OMP_PROC_BIND": ["true", "close", "spread,close", "master", "false"],
    "OMP_PLACES": ["{0}", "{0},{1}", "{0:2}", "{0}:2", "threads", "threads(1)"],
    "OMP_DEFAULT_DEVICE": ["2"],
    "OMP_TEAMS_THREAD_LIMIT": ["3"],
    "OMP_NUM_TEAMS": ["2"],
    "OMP_ALLOCATOR": ["omp_thread_mem_alloc"],
    "OMP_DISPLAY_AFFINITY": ["true"],
    "OMP_AFFINITY_FORMAT": ["%n of %N"],
    "OMP_TARGET_OFFLOAD": ["mandatory", "Disabled"],
}


def stderr_of(variables):
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "LD_", "ARTEL_"))
    }
    environment.update(variables)
    return subprocess.run(
        [PROGRAM], env=environment, capture_output=True, text=True, timeout=60
    ).stderr


class Environment(unittest.TestCase):
    def test_bad_values_give_the_warnings_of_libgomp(self):
        for name, values in BAD.items():
            for value in values:
                with self.subTest(f"{name}={value}"):
                    stock = stderr_of({name: value})
                    self.assertEqual(stderr_of({name: value, "LD_PRELOAD": LIBRARY}), stock)

    def test_good_values_are_in_force(self):
        for name, values in GOOD.items():
            for value in values:
                with self.subTest(f"{name}={value}"):
                    stock = stderr_of({name: value, "OMP_DISPLAY_ENV": "true"})
                    ours = stderr_of(
                        {name: value, "OMP_DISPLAY_ENV": "true", "LD_PRELOAD": LIBRARY}
                    )
                    line = f"  {name} = "
                    self.assertEqual(
                        [s for s in ours.splitlines() if s.startswith(line)],
                        [s for s in stock.splitlines() if s.startswith(line)],
                    )

    def test_all_lines_are_shown(self):
        def names(text):
            return [s.split(" = ")[0] for s in text.splitlines()]

        for word in ("true", "verbose"):
            stock = stderr_of({"OMP_DISPLAY_ENV": word})
            self.assertEqual(
                names(stderr_of({"OMP_DISPLAY_ENV": word, "LD_PRELOAD": LIBRARY})), names(stock)
            )

    def test_nesting_is_on_by_default(self):
        self.assertIn(
            "OMP_MAX_ACTIVE_LEVELS = '255'",
            stderr_of({"OMP_DISPLAY_ENV": "true", "LD_PRELOAD": LIBRARY}),
        )


if __name__ == "__main__":
    LIBRARY, PROGRAM = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
