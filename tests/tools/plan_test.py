"""`artel plan`: the layout for machines with and without several nodes, and its errors."""
import json
import os
import shlex
import subprocess
import unittest

from support import TOOL, artel, clean_environment, half_a_cpu

TWO_NODES = ("--synthetic", "numa:2 l3:1 core:4 pu:2")


def plan(*arguments: str, **variables: str) -> str:
    done = artel("plan", *arguments, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Plan(unittest.TestCase):
    def test_one_process_for_each_node_of_each_machine(self):
        layout = json.loads(plan("--json", "--machines", "3", *TWO_NODES))
        self.assertEqual(layout["machines"], 3)
        self.assertEqual(
            [(it["machine"], it["node"], it["cpus"], it["threads"]) for it in layout["processes"]],
            [(m, n, cpus, 8) for m in range(3) for n, cpus in ((0, "0-7"), (1, "8-15"))],
        )

    def test_what_is_left_out_of_the_machine_is_left_out_of_the_plan(self):
        layout = json.loads(plan("--json", *TWO_NODES, ARTEL_NUMAS="1"))
        self.assertEqual([it["node"] for it in layout["processes"]], [1])

    def test_here_all_cpus_are_in_it_once(self):
        layout = json.loads(plan("--json"))
        cpus: set[int] = set()
        for it in layout["processes"]:
            for part in it["cpus"].split(","):
                first, _, last = part.partition("-")
                more = set(range(int(first), int(last or first) + 1))
                self.assertFalse(cpus & more)
                cpus |= more
        self.assertEqual(cpus, os.sched_getaffinity(0))

    def test_commands(self):
        for what, words, count in (
            ("run", ["taskset", "artel", "run"], 2),
            ("dask", ["taskset", "dask", "worker", "--preload", "artel.dask"], 2),
            ("ray", ["taskset", "ray", "start", "--num-cpus=8"], 2),
            ("mpi", ["mpirun", "-n", "4", "artel", "run"], 1),
        ):
            lines = plan("--for", what, "--machines", "2", *TWO_NODES).splitlines()
            self.assertEqual(len(lines), count, lines)
            for line in lines:
                self.assertLessEqual(set(words), set(shlex.split(line)))
            self.assertIn(lines[0], plan("--machines", "2", *TWO_NODES))

    def test_a_quota_limits_the_threads_of_every_command(self):
        if len(os.sched_getaffinity(0)) == 1:
            self.skipTest("half a CPU is no limit for one")
        with half_a_cpu(self) as enter:
            done = {
                what: subprocess.run(
                    [TOOL, "plan", "--for", what],
                    capture_output=True,
                    text=True,
                    env=clean_environment(),
                    preexec_fn=enter,
                )
                for what in ("run", "dask", "ray", "mpi")
            }
        for what, plan_for_it in done.items():
            self.assertEqual(plan_for_it.returncode, 0, plan_for_it.stderr)
            self.assertIn(" env ARTEL_NUM_THREADS=1 ", plan_for_it.stdout, what)

    def test_bad_words_are_named(self):
        for words, told in (
            (["--for", "spark"], "spark"),
            (["--machines", "0"], "0"),
            (["--machines", "many"], "many"),
            (["--synthetic", "nonsense"], "nonsense"),
        ):
            done = artel("plan", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(told, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
