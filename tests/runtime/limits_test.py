"""Sizes of teams, and what is said where a team, its stacks or its threads cannot be had."""

import os
import resource
import signal
import subprocess
import unittest

from runtime_case import DROP_IN, FOLDER, RuntimeCase, run


class Limits(RuntimeCase):
    def test_eight_nested_levels(self):
        self.good("256 leaves\n", "nesting_deep")

    def test_wide_teams_have_exactly_the_size_asked_for(self):
        for members in ("1", "3", "64", "300"):
            with self.subTest(members=members):
                self.good(f"{members} of {members}\n", "team_size", members, OMP_STACKSIZE="256k")

    @unittest.skipIf(os.geteuid() != 0, "limits of another user need root")
    def test_teams_that_cannot_be_are_refused_in_libgomps_words(self):
        for members in ("65536", "1000000", "2147483647"):
            with self.subTest(members=members):
                done = run("team_size", members)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertRegex(
                    done.stderr,
                    rf"^\nlibgomp: Thread creation failed: a team of {members} threads .*\n$",
                )
        # What is asked for counts after limits.
        self.assertEqual(run("team_size", "1000000", OMP_THREAD_LIMIT="3").stdout, "3 of 3\n")

    def test_no_memory_for_members_ends_the_program_in_libgomps_words(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        done = run("team_size", "60000", before=limit)
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertRegex(
            done.stderr,
            r"\nlibgomp: (Thread creation failed: .*|Out of memory allocating a team)\n$",
        )

    def ends_as_under_libgomp(self, *arguments, **how):
        """Where there are no threads for the members, none of them may share the thread-local data
        of another."""
        for libraries in ("", DROP_IN):
            done = run(*arguments, LD_PRELOAD=libraries, **how)
            self.assertEqual((done.returncode, done.stdout), (1, ""), libraries)
            # Of libgomp's members two may fail at a time and mix the parts of their lines; ours are
            # written whole.
            line = "Thread creation failed: Resource temporarily unavailable"
            self.assertIn(f"\nlibgomp: {line}\n" if libraries else line, done.stderr)

    def test_too_few_threads_end_the_program_in_libgomps_words(self):
        # An ordinary user with room for few processes: root is exempt from RLIMIT_NPROC.
        def limit():
            resource.setrlimit(resource.RLIMIT_NPROC, (5, 5))
            os.setresuid(54321, 54321, 54321)

        probe = subprocess.run(
            ["test", "-x", os.path.join(FOLDER, "team_size")], preexec_fn=limit, check=False
        )
        if probe.returncode != 0:
            self.skipTest("other users cannot reach the build folder")
        self.ends_as_under_libgomp("team_size", "12", before=limit)

    def test_too_little_memory_for_stacks_ends_the_program_in_libgomps_words(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

        self.ends_as_under_libgomp("threadprivate", before=limit, OMP_STACKSIZE="400M")
        # One member of the outer team can be had, those of the inner ones cannot.
        self.ends_as_under_libgomp("nested_threadprivate", before=limit, OMP_STACKSIZE="400M")
        self.good("mismatches 0\n", "nested_threadprivate", before=limit, OMP_STACKSIZE="16M")

    def test_small_address_space_does_not_hang(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (600 << 20, 600 << 20))

        done = run("team_size", "64", before=limit, timeout=60)
        if done.returncode == 0:
            self.assertEqual(done.stdout, "64 of 64\n")
        else:
            self.assertIn("libgomp: ", done.stderr)

    def test_stack_overflow_names_the_light_thread(self):
        done = run("overflow", OMP_STACKSIZE="1M")
        self.assertEqual(done.returncode, -signal.SIGSEGV)
        self.assertRegex(
            done.stderr,
            r"^artel: stack overflow in light thread \d+ \(team member, stack of \d+ KiB\); "
            r"enlarge it with OMP_STACKSIZE\n$",
        )

    def test_other_faults_are_the_programs(self):
        self.good("went on, masks 1, 3 members\n", "faults", "map", timeout=20)
        self.good("went on, masks 0, 3 members\n", "faults", "ignored", timeout=20)
        for what, said in (("sent", ""), ("unhandled", ""), ("fault", "report\n")):
            with self.subTest(what=what):
                done = run("faults", what, timeout=20)
                self.assertEqual(
                    (done.returncode, done.stdout, done.stderr), (-signal.SIGSEGV, said, "")
                )
        done = run("faults", "once", timeout=20)
        self.assertEqual((done.returncode, done.stdout), (-signal.SIGSEGV, "report\n"))


if __name__ == "__main__":
    unittest.main()
