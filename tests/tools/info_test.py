"""`artel`, `artel info`: what they print, their errors and exit codes."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import TOOL, artel, clean_environment, half_a_cpu


def info(*arguments: str, **variables: str) -> dict:
    done = artel("info", "--json", *arguments, **variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def option(described: dict, variable: str) -> dict:
    return next(row for row in described["options"] if row["variable"] == variable)


class CommandLine(unittest.TestCase):
    def test_version(self):
        done = artel("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^artel \d+\.\d+\.\d+\n$")

    def test_help_names_every_command(self):
        done = artel("--help")
        self.assertEqual(done.returncode, 0)
        for word in ("run", "info", "lab", "--version"):
            self.assertIn(word, done.stdout)

    def test_help_that_cannot_be_written(self):
        for arguments in (["--help"], ["--version"], ["run", "--help"], ["bench", "--help"]):
            with self.subTest(arguments), open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run(
                    [TOOL, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60
                )
                # 1 would be the program's own.
                self.assertEqual(done.returncode, 125 if arguments[0] == "run" else 1)
                self.assertRegex(
                    done.stderr, r"^artel.*: cannot write the output: No space left on device\n$"
                )

    def test_wrong_command_lines_give_one_line_and_2(self):
        for arguments in (
            [],
            ["frobnicate"],
            ["info", "--frobnicate"],
            ["info", "extra"],
            ["info", "--synthetic"],
            ["info", "--synthetic", "nonsense"],
        ):
            done = artel(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertTrue(done.stderr.startswith("artel"), done.stderr)
            self.assertEqual(done.stdout, "")

    def test_wrong_words_are_named_with_what_is_allowed(self):
        for arguments, words in (
            (
                ["bogus"],
                (
                    "artel: no command 'bogus'; expected one of run, info, doctor, bench, tune,"
                    " lab, mpi, plan;"
                ),
            ),
            (
                ["mpi", "bogus"],
                (
                    "artel mpi: no command 'bogus'; expected one of info, check, model, tune,"
                    " trial, bench;"
                ),
            ),
            (
                ["--bogus"],
                (
                    "artel: no option --bogus; expected one of run, info, doctor, bench, tune, lab,"
                    " mpi, plan;"
                ),
            ),
            (
                [],
                (
                    "artel: a command is missing; expected one of run, info, doctor, bench, tune,"
                    " lab, mpi, plan;"
                ),
            ),
            (["info", "extra"], "extra"),
        ):
            done = artel(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)

    def test_commands_that_are_programs_of_their_own(self):
        """They get the same words, wherever the tree lies; without them one line says what is
        missing."""
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder, "bin", "artel")
            helpers = pathlib.Path(folder, "libexec", "artel")
            tool.parent.mkdir()
            helpers.mkdir(parents=True)
            shutil.copy(TOOL, tool)
            for name in ("lab", "mpi"):
                done = artel(name, "--list", "--help", tool=str(tool))
                self.assertEqual(done.returncode, 1)
                self.assertRegex(
                    done.stderr, rf"^artel {name}: {helpers}/artel-{name} is not there; .*\n$"
                )
                helper = helpers / f"artel-{name}"
                helper.write_text('#!/bin/sh\necho "$0|$*"\nexit 7\n')
                helper.chmod(0o755)
                done = artel(name, "a b", "--list", "--", "--help", tool=str(tool))
                self.assertEqual(done.returncode, 7)
                self.assertEqual(done.stdout, f"{helper}|{name} a b --list -- --help\n")


class Info(unittest.TestCase):
    def test_text_tells_the_same_as_json(self):
        machine = info()["machine"]
        done = artel("info")
        self.assertEqual(done.returncode, 0)
        self.assertIn(machine["reason"], done.stdout)
        self.assertIn("ARTEL_NUM_THREADS=auto  (default)", done.stdout)

    def test_names_the_libraries_beside_it(self):
        libraries = info()["libraries"]
        self.assertRegex(libraries["core"], r"^/.*/libartel\.so\.0[.0-9]*$")
        self.assertTrue(os.path.exists(libraries["core"]))

    def test_machine_agrees_with_the_affinity_mask(self):
        machine = info()["machine"]
        self.assertEqual({cpu["cpu"] for cpu in machine["cpus"]}, os.sched_getaffinity(0))
        self.assertTrue(1 <= machine["effective_cpus"] <= len(machine["cpus"]))
        self.assertEqual(sum(node["cpus"] for node in machine["numa_nodes"]), len(machine["cpus"]))

    def test_narrower_mask_is_followed_and_explained(self):
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) < 2:
            self.skipTest("only one CPU is usable here")
        done = subprocess.run(
            [TOOL, "info", "--json"],
            capture_output=True,
            text=True,
            env=clean_environment(),
            preexec_fn=lambda: os.sched_setaffinity(0, {allowed[-1]}),
        )
        machine = json.loads(done.stdout)["machine"]
        self.assertEqual(machine["effective_cpus"], 1)
        self.assertIn(f"the inherited affinity mask has CPUs {allowed[-1]}", machine["reason"])

    def test_sources_of_options(self):
        described = info(ARTEL_WAIT="passive")
        self.assertEqual(option(described, "ARTEL_WAIT")["value"], "passive")
        self.assertEqual(option(described, "ARTEL_WAIT")["source"], "environment")
        self.assertEqual(option(described, "ARTEL_SPIN")["source"], "default")

    def test_bad_values_are_reported_once_and_replaced(self):
        done = artel("info", "--json", ARTEL_NUM_THREADS="foo", ARTEL_STACK_SIZE="1k")
        self.assertEqual(done.returncode, 0)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 2, done.stderr)
        self.assertRegex(
            lines[0], r"^artel: ARTEL_NUM_THREADS=foo: expected .*; using the default, auto$"
        )
        self.assertRegex(
            lines[1], r"^artel: ARTEL_STACK_SIZE=1k: expected .*16k.*; using the default, 1m$"
        )
        self.assertEqual(option(json.loads(done.stdout), "ARTEL_NUM_THREADS")["source"], "rejected")

    def test_misspelt_variable(self):
        self.assertIn("did you mean ARTEL_NUM_THREADS?", artel("info", ARTEL_NUMTHREADS="2").stderr)

    def test_unknown_variables_are_told_once_each(self):
        told = artel("info", ARTEL_UNHEARD_OF="2", ARTEL_MPI_UNHEARD_OF="2").stderr
        self.assertEqual(
            told,
            "artel: ARTEL_UNHEARD_OF is not an option and has no effect; `artel info` shows all"
            " that there are\n",
        )

    def test_numas_restrict_a_synthetic_machine(self):
        machine = info("--synthetic", "numa:4 core:2 pu:1", ARTEL_NUMAS="1,3")["machine"]
        self.assertEqual(machine["effective_cpus"], 4)
        self.assertEqual({cpu["node"] for cpu in machine["cpus"]}, {1, 3})

    def test_without_hwloc_only_made_up_machines_are_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            open(f"{folder}/libhwloc.so.15", "w").close()  # the dynamic linker takes it, and fails
            done = artel("info", "--synthetic", "core:2 pu:1", LD_LIBRARY_PATH=folder)
            self.assertEqual(done.returncode, 2)
            self.assertIn("needs hwloc, but libhwloc.so.15 cannot be loaded", done.stderr)
            machine = info(LD_LIBRARY_PATH=folder)["machine"]
        self.assertEqual({cpu["cpu"] for cpu in machine["cpus"]}, os.sched_getaffinity(0))

    def test_foreign_hwloc_settings_do_not_invent_cpus(self):
        machine = info(HWLOC_SYNTHETIC="core:64 pu:1")["machine"]
        self.assertEqual({cpu["cpu"] for cpu in machine["cpus"]}, os.sched_getaffinity(0))

    def test_kernel_features_are_booleans(self):
        kernel = info()["kernel"]
        for name in ("fsgsbase", "membarrier", "guard_pages"):
            self.assertIsInstance(kernel[name], bool)

    def test_cgroup_v1_quota_is_explained(self):
        with half_a_cpu(self) as enter:
            done = subprocess.run(
                [TOOL, "info", "--json"],
                capture_output=True,
                text=True,
                env=clean_environment(),
                preexec_fn=enter,
            )
        machine = json.loads(done.stdout)["machine"]
        self.assertEqual(machine["effective_cpus"], 1)
        self.assertEqual(machine["quota"]["cgroup_version"], 1)
        self.assertRegex(
            machine["reason"],
            r"cgroup v1 quota 50000/100000 us at /.*artel-tool-test-\d+ allows 0\.5, rounded up",
        )


if __name__ == "__main__":
    unittest.main()
