#!/usr/bin/env python3
"""OMP_ and KMP_ variables of programs made for libomp: the same warnings as stock libomp for bad
values, and the same settings for good ones. kmp_settings_test.py LIBRARY PROGRAM (settings.c,
compiled by clang)"""
import os
import re
import subprocess
import sys
import unittest

BAD = {
    "OMP_NUM_THREADS": ["0", "0,2"],
    "OMP_SCHEDULE": [
        *("foo", "dynamic,abc", "dynamic,-1", "", "auto,5", "auto, 0", "static,0", "dynamic, 0"),
        *(
            "monotonic:static,00",
            "guided,2147483648",
            "static,2147483647",
            "dynamic,0x5",
            "dynamic, 6",
        ),
    ],
    "OMP_DYNAMIC": ["xx", ""],
    "OMP_PROC_BIND": ["xx"],
    "OMP_PLACES": ["invalid", "sockets(", "{0", "{0},{777}"],
    "OMP_STACKSIZE": ["1k"],
    "OMP_WAIT_POLICY": ["foo"],
    "OMP_MAX_ACTIVE_LEVELS": ["-1", "x"],
    "OMP_THREAD_LIMIT": ["0", "xx"],
    "OMP_NESTED": ["foo", "0"],
    "OMP_CANCELLATION": ["foo"],
    "OMP_DISPLAY_ENV": ["foo"],
    "OMP_DEFAULT_DEVICE": ["-1"],
    "OMP_TARGET_OFFLOAD": ["foo"],
    "OMP_MAX_TASK_PRIORITY": ["-1"],
    "OMP_ALLOCATOR": ["111", "omp_default_mem_alloc_xyz"],
    "OMP_NUM_TEAMS": ["-1"],
    "OMP_TEAMS_THREAD_LIMIT": ["x"],
    "OMP_DISPLAY_AFFINITY": ["x"],
    "KMP_DISP_NUM_BUFFERS": ["0", "4097", "x"],
    "KMP_BLOCKTIME": ["foo", "-5"],
    "KMP_STACKSIZE": ["1"],
    "KMP_LIBRARY": ["foo"],
    "KMP_AFFINITY": ["foo", "explicit", "explicit,proclist=[0,777]"],
    "KMP_HW_SUBSET": ["foo"],
    "KMP_ALL_THREADS": ["2"],
    "KMP_DEVICE_THREAD_LIMIT": ["x", "1"],
    "KMP_SETTINGS": ["x"],
    "KMP_TEAMS_PROC_BIND": ["x"],
    "KMP_ENABLE_TASK_THROTTLING": ["x"],
    "LIBOMP_NUM_HIDDEN_HELPER_THREADS": ["x"],
    "KMP_TASKLOOP_MIN_TASKS": ["x"],
}

# What the settings show of the variable, and all that the program prints, is compared.
GOOD = [
    "OMP_SCHEDULE=static",
    "OMP_SCHEDULE=static,10",
    "OMP_SCHEDULE=dynamic",
    "OMP_SCHEDULE=auto",
    "OMP_SCHEDULE=auto,7",
    "OMP_SCHEDULE=static,0",
    "OMP_SCHEDULE=trapezoidal",
    "OMP_SCHEDULE=trapezoidal,13",
    "OMP_SCHEDULE=static_steal",
    "OMP_SCHEDULE=static_steal,14",
    "OMP_SCHEDULE=monotonic:dynamic,3",
    "OMP_NUM_THREADS=2",
    "OMP_NUM_THREADS=3,2",
    "OMP_THREAD_LIMIT=2",
    "OMP_STACKSIZE=2m",
    "OMP_WAIT_POLICY=active",
    "OMP_PROC_BIND=close,spread",
    "OMP_PROC_BIND=true",
    "OMP_PLACES=cores",
    "OMP_PLACES=threads",
    "OMP_PLACES=sockets",
    "OMP_PLACES={0}",
    "OMP_CANCELLATION=yes",
    "OMP_TARGET_OFFLOAD=disabled",
    "OMP_ALLOCATOR=omp_default_mem_alloc",
    "OMP_NUM_TEAMS=3",
    "OMP_TEAMS_THREAD_LIMIT=4",
    "OMP_DISPLAY_AFFINITY=0",
    "OMP_DEFAULT_DEVICE=3",
    "OMP_MAX_TASK_PRIORITY=7",
    "KMP_BLOCKTIME=3",
    "KMP_BLOCKTIME=0",
    "KMP_STACKSIZE=1m",
    "KMP_STACKSIZE=1048576",
    "KMP_STACKSIZE=2MB",
    "OMP_STACKSIZE=3000",
    "KMP_LIBRARY=serial",
    "KMP_DEVICE_THREAD_LIMIT=2",
    "KMP_TEAMS_THREAD_LIMIT=9",
    "KMP_DISP_NUM_BUFFERS=9",
    "KMP_TEAMS_PROC_BIND=close",
    "KMP_ENABLE_TASK_THROTTLING=0",
    "KMP_TASKLOOP_MIN_TASKS=5",
    "KMP_HW_SUBSET=1c",
    "KMP_HW_SUBSET=1c@1",
    "KMP_AFFINITY=compact",
    "KMP_AFFINITY=scatter,granularity=fine",
    "KMP_AFFINITY=none",
    "KMP_AFFINITY=disabled",
    "KMP_AFFINITY=explicit,proclist=[0]",
    "KMP_AFFINITY=compact,1,0",
    "KMP_AFFINITY=nowarnings,reset,compact",
    "LIBOMP_NUM_HIDDEN_HELPER_THREADS=3",
    "LIBOMP_USE_HIDDEN_HELPER_TASK=0",
]


def run(variables):
    environment = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("OMP_", "GOMP_", "KMP_", "LIBOMP_", "LD_", "ARTEL_"))
    }
    environment.update(variables)
    result = subprocess.run(
        [PROGRAM], env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    return result.stdout, result.stderr


def settings_of(text):
    """{name: line} of the effective settings."""
    lines = text.split("Effective settings:", 1)[1].splitlines()
    return {m.group(1): line.strip() for line in lines if (m := re.match(r"\s+(\w+)\s*[:=]", line))}


class Settings(unittest.TestCase):
    def test_bad_values_give_the_warnings_of_libomp(self):
        for name, values in BAD.items():
            for value in values:
                with self.subTest(f"{name}={value}"):
                    stock = run({name: value})[1]
                    self.assertNotEqual(stock, "")
                    self.assertEqual(run({name: value, "LD_PRELOAD": LIBRARY})[1], stock)

    def test_good_values_are_in_force(self):
        for setting in GOOD:
            name, value = setting.split("=", 1)
            with self.subTest(setting):
                variables = {name: value, "KMP_SETTINGS": "1"}
                stock_out, stock = run(variables)
                out, ours = run({**variables, "LD_PRELOAD": LIBRARY})
                self.assertEqual(out, stock_out)
                self.assertEqual(settings_of(ours).get(name), settings_of(stock)[name])

    def test_warnings_can_be_turned_off(self):
        self.assertEqual(
            run({"KMP_WARNINGS": "0", "OMP_DYNAMIC": "xx", "LD_PRELOAD": LIBRARY})[1], ""
        )

    def test_the_names_of_artels_algorithms_are_schedules(self):
        for word in (
            "artel",
            "automatic",
            "simple",
            "lazy",
            "heartbeat",
            "timespan",
            "timespan-grain",
        ):
            for chunk in ("", ",7"):
                with self.subTest(word + chunk):
                    out, err = run({"OMP_SCHEDULE": word + chunk, "LD_PRELOAD": LIBRARY})
                    self.assertEqual(err, "")
                    self.assertIn("schedule 2," + (chunk[1:] or "1"), out)
                    self.assertIn("sum 50075028", out)

    def test_the_version_is_shown(self):
        self.assertRegex(
            run({"KMP_VERSION": "1", "LD_PRELOAD": LIBRARY})[1], r"^Artel OMP version: \d+\.\d+"
        )

    def test_verbose_affinity_says_where_members_are(self):
        err = run({"KMP_AFFINITY": "verbose,compact", "LD_PRELOAD": LIBRARY})[1]
        self.assertEqual(
            len(
                re.findall(
                    (
                        r"OMP: Info #254: KMP_AFFINITY: pid \d+ tid \d+ thread \d+ bound to OS proc"
                        r" set [\d,-]+\n"
                    ),
                    err,
                )
            ),
            3,
        )


if __name__ == "__main__":
    LIBRARY, PROGRAM = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
