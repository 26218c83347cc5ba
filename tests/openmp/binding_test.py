#!/usr/bin/env python3
"""OMP_PROC_BIND, OMP_PLACES and what tells of them: the same answers as stock libgomp's in the same
environment, and workers that keep to the places. binding_test.py LIBRARY PROGRAMS"""
import os
import random
import subprocess
import sys
import unittest

FORMAT = "level %L thread %n of %N, %a outside, on %A"
CPUS = sorted(os.sched_getaffinity(0))


def run(program, *arguments, ours=False, **variables):
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "LD_", "ARTEL_"))
    }
    environment |= variables
    if ours:
        environment["LD_PRELOAD"] = LIBRARY
    return subprocess.run(
        [os.path.join(PROGRAMS, program), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )


def random_places(chance):
    """Some places, with CPUs of this machine, which may be in several."""
    return ",".join(
        "{%s}"
        % ",".join(map(str, sorted(chance.sample(CPUS, chance.randint(1, min(len(CPUS), 3))))))
        for _ in range(chance.randint(1, 9))
    )


def random_regions(chance):
    levels = []
    for _ in range(chance.randint(1, 3)):
        members = chance.randint(1, 9)
        levels.append(f"{chance.choice('npcs')}{members}{chance.randrange(members)}")
    return "".join(levels)


class Answers(unittest.TestCase):
    def same(self, *arguments, **variables):
        with self.subTest(arguments=arguments, variables=variables):
            stock = run("places", *arguments, **variables)
            ours = run("places", *arguments, ours=True, **variables)
            self.assertEqual(ours.stdout.splitlines(), stock.stdout.splitlines())
            self.assertEqual(ours.stderr, stock.stderr)
            # Where a policy is named; what "true" means, and places by themselves, each runtime
            # says for itself.
            named = variables.get("OMP_PROC_BIND", "").startswith(
                ("primary", "close", "spread", "false")
            )
            if named and os.path.exists(os.path.join(PROGRAMS, "clang_places")):
                self.assertEqual(
                    run("clang_places", *arguments, ours=True, **variables).stdout, stock.stdout
                )

    def test_without_binding(self):
        for variables in (
            {},
            {"OMP_PROC_BIND": "false"},
            {"OMP_PROC_BIND": "false", "OMP_PLACES": "threads"},
        ):
            self.same("n30", "s30c20", **variables)

    def test_ways_to_ask_for_it(self):
        first, last = CPUS[0], CPUS[-1]
        for variables in (
            {"OMP_PROC_BIND": "true"},
            {"OMP_PLACES": "threads"},
            {"OMP_PROC_BIND": "primary,close"},
            {"OMP_PLACES": "{%d}" % last},
            {"GOMP_CPU_AFFINITY": f"{first} {last}"},
            {"GOMP_CPU_AFFINITY": f"{last},{first}-{first}:2", "OMP_PROC_BIND": "spread"},
            {"GOMP_CPU_AFFINITY": str(last), "OMP_PLACES": "{%d}" % first},
            {"GOMP_CPU_AFFINITY": str(last), "OMP_PROC_BIND": "false"},
        ):
            self.same("n30", "s30c20p20", **variables)

    def test_bad_values_of_the_older_variable(self):
        for value in ("x", "0,,0", ",0", "0,", "", " ", "0-", "0 -1", "1-0", "0-0:0", "0-0 : 1"):
            self.same("n20", GOMP_CPU_AFFINITY=value)

    def test_many_places_regions_and_policies(self):
        chance = random.Random(20)
        for _ in range(60):
            policies = ",".join(
                chance.choice(("primary", "close", "spread")) for _ in range(chance.randint(1, 3))
            )
            self.same(
                random_regions(chance),
                random_regions(chance),
                OMP_PLACES=random_places(chance),
                OMP_PROC_BIND=chance.choice(("true", policies)),
            )


class Display(unittest.TestCase):
    """Members report themselves, so the order of their lines is theirs."""

    def reports(self, ours, **variables):
        steps = {}
        for line in run(
            "affinity",
            ours=ours,
            OMP_DISPLAY_AFFINITY="true",
            OMP_AFFINITY_FORMAT=FORMAT,
            **variables,
        ).stderr.splitlines():
            if line.startswith("-- "):
                current = steps.setdefault(line, [])
            else:
                current.append(line)
        return {name: sorted(lines) for name, lines in steps.items()}

    def test_same_reports_as_libgomp(self):
        for variables in (
            {},
            {"OMP_PROC_BIND": "true"},
            {"OMP_PLACES": "{%d},{%d}" % (CPUS[0], CPUS[-1]), "OMP_PROC_BIND": "close"},
        ):
            with self.subTest(variables):
                self.assertEqual(self.reports(True, **variables), self.reports(False, **variables))

    def test_each_team_of_a_league_reports(self):
        if not os.path.exists(os.path.join(PROGRAMS, "league_affinity")):
            self.skipTest("no clang 19 with libomp")
        done = run(
            "league_affinity",
            ours=True,
            OMP_DISPLAY_AFFINITY="true",
            OMP_AFFINITY_FORMAT="team %t level %L thread %n of %N",
        )
        for team in range(3):
            for thread in range(2):
                report = f"team {team} level 1 thread {thread} of 2"
                self.assertEqual(done.stdout.splitlines().count(report), 2, done.stdout)

    def test_nothing_unless_asked_for(self):
        self.assertNotIn(
            "level",
            run("affinity", ours=True, OMP_PROC_BIND="true", OMP_AFFINITY_FORMAT=FORMAT).stderr,
        )


@unittest.skipIf(len(CPUS) < 2, "one CPU: nothing to choose")
class Enforced(unittest.TestCase):
    """With a crew of two: the initial thread and one worker."""

    def masks(self, members, **variables):
        return run(
            "masks", ours=True, OMP_NUM_THREADS=str(members), ARTEL_NUM_THREADS="2", **variables
        ).stdout.splitlines()

    def test_workers_keep_to_the_places_and_members_go_to_them(self):
        first, last = CPUS[0], CPUS[-1]
        for variables, initial, worker in (
            ({"OMP_PROC_BIND": "close", "OMP_PLACES": "{%d},{%d}" % (first, last)}, first, last),
            ({"OMP_PROC_BIND": "spread", "OMP_PLACES": "{%d},{%d}" % (last, first)}, last, first),
            ({"OMP_PROC_BIND": "true", "OMP_PLACES": "{%d}" % last}, last, last),
        ):
            for members in (2, 4, 7):
                with self.subTest(members=members, **variables):
                    self.assertEqual(
                        self.masks(members, **variables), [f"initial {initial}", f"worker {worker}"]
                    )

    def test_the_crews_own_option_comes_first(self):
        everywhere = " ".join(map(str, CPUS))
        seen = self.masks(2, OMP_PROC_BIND="true", ARTEL_BIND="none")
        self.assertEqual(seen[-2:], [f"initial {everywhere}", f"worker {everywhere}"])


if __name__ == "__main__":
    LIBRARY, PROGRAMS = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
