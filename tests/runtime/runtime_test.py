"""What the drop-in promises beyond the standard: run as whole processes under LD_PRELOAD.

usage: runtime_test.py DROP_IN PROGRAM_FOLDER
"""

import os
import resource
import signal
import subprocess
import sys
import unittest

DROP_IN = ""
FOLDER = ""


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


class Runtime(unittest.TestCase):
    def good(self, expected, *arguments, **more):
        done = run(*arguments, **more)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, expected, ""))

    def test_threadprivate_goes_with_the_member(self):
        for width in ("1", "2", "3"):
            with self.subTest(width=width):
                self.good("mismatches 0\n", "threadprivate", ARTEL_NUM_THREADS=width)

    def test_regions_work_in_forked_children(self):
        done = run("forking")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count(": ok\n"), 5, done.stdout)

    def test_settings_made_in_main_come_too_late_as_under_libgomp(self):
        for library in ("", DROP_IN):
            for before in ({}, {"OMP_WAIT_POLICY": "passive"}):
                with self.subTest(library=library, before=before):
                    self.good("0 0 0\n", "settings_in_main", LD_PRELOAD=library, **before)

    def test_members_that_spin_on_each_other_get_threads(self):
        for members, width in (("2", "1"), ("4", "2"), ("16", "2"), ("40", "2")):
            with self.subTest(members=members, width=width):
                self.good("passed\n", "spinning", members, ARTEL_NUM_THREADS=width)

    def test_members_that_yield_to_each_other_need_no_threads(self):
        """Without the monitor, which would add them."""
        for members, width in (("2", "1"), ("16", "2"), ("40", "2"), ("100", "3")):
            with self.subTest(members=members, width=width):
                self.good(
                    "passed\n", "yielding", members, ARTEL_NUM_THREADS=width, ARTEL_MONITOR="0"
                )
        self.good("passed\n", "yielding", "6", "3", ARTEL_MONITOR="0")

    def test_members_that_yield_while_they_hold_locks_need_no_threads(self):
        """Without the monitor, which would add them."""
        locks = (
            "mutex",
            "adaptive",
            "recursive",
            "checked",
            "both",
            "condition",
            "turns",
            "server",
        )
        for lock in locks:
            for members, width in (("2", "1"), ("8", "2"), ("30", "3")):
                with self.subTest(lock=lock, members=members, width=width):
                    self.good(
                        "good\n",
                        "locked_out",
                        lock,
                        members,
                        ARTEL_NUM_THREADS=width,
                        ARTEL_MONITOR="0",
                    )
            with self.subTest(lock=lock):
                self.good("good\n", "locked_out", lock, "8", ARTEL_NUM_THREADS="2")
                self.good("good\n", "locked_out", lock, "3", ARTEL_MEMBERS="threads")

    def test_signal_handlers_may_yield(self):
        for _ in range(3):
            self.good("80000\n", "yielding_handler")

    def test_allocators_may_yield(self):
        allocator = os.path.join(FOLDER, "yielding_allocator.so")
        for every in ("0", "1", "2", "5"):
            for width in ("2", "8"):
                with self.subTest(every=every, width=width):
                    self.good(
                        "2457\n",
                        "allocating",
                        LD_PRELOAD=f"{DROP_IN} {allocator}",
                        YIELD_EVERY=every,
                        ARTEL_NUM_THREADS=width,
                        OMP_MAX_ACTIVE_LEVELS="2",
                        timeout=60,
                    )

    def test_threads_that_spin_outside_of_regions_do_not_stop_those_inside(self):
        self.good("passed\n", "crowd", "6", "4", "6")

    def test_members_behind_a_blocked_worker_get_threads(self):
        done = run("conversation")
        self.assertEqual((done.returncode, done.stdout), (0, "180 turns\n"))

    def test_the_monitor_is_awake_when_a_member_blocks(self):
        """Also where all waited for each other, and so were idle, when the monitor looked."""
        for wait in ("auto", "active", "passive"):
            with self.subTest(wait=wait):
                done = run("late", ARTEL_NUM_THREADS="2", ARTEL_WAIT=wait)
                self.assertEqual((done.returncode, done.stdout), (0, "others came\n"), done.stderr)

    def test_signals_reach_members(self):
        self.good("blocked 0, missed 0, ticks of the initial thread only: no\n", "signals")

    def test_the_environment_is_shown_once(self):
        """Not by the shell that starts the program, although it is preloaded there, too."""
        environment = {
            **os.environ,
            "LD_PRELOAD": DROP_IN,
            "OMP_DISPLAY_ENV": "TRUE",
            "OMP_NUM_THREADS": "two",
        }
        done = subprocess.run(
            ["sh", "-c", os.path.join(FOLDER, "nesting_deep") + "; true"],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        self.assertEqual(done.stderr.count("OPENMP DISPLAY ENVIRONMENT BEGIN"), 1, done.stderr)
        self.assertEqual(
            done.stderr.count("Invalid value for environment variable OMP_NUM_THREADS"),
            1,
            done.stderr,
        )

    def test_nested_members_that_spin_on_each_other_get_threads(self):
        self.good("passed\n", "spinning", "6", "3")

    def test_plugins_with_regions_can_be_closed(self):
        self.good("closed\n", "plugin_host", os.path.join(FOLDER, "plugin.so"))

    def test_eight_nested_levels(self):
        self.good("256 leaves\n", "nesting_deep")

    def test_threads_of_the_program_have_regions_at_once(self):
        self.good("900 everywhere\n", "external_threads")

    def test_stack_overflow_names_the_light_thread(self):
        done = run("overflow", OMP_STACKSIZE="1M")
        self.assertEqual(done.returncode, -signal.SIGSEGV)
        self.assertRegex(
            done.stderr,
            r"^artel: stack overflow in light thread \d+ \(team member, stack of \d+ KiB\); "
            r"enlarge it with OMP_STACKSIZE\n$",
        )

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

    def test_threads_that_nobody_needs_any_more_end(self):
        self.good("few\n", "retiring", timeout=240)

    def test_process_ends_with_the_programs_last_thread(self):
        self.good("4 after main\n", "initial_thread_leaves", timeout=20)

    def test_threads_that_end_inside_of_a_region_end_the_program_with_a_message(self):
        for what in ("caller", "member", "task", "nested"):
            for how in ("exit", "cancel"):
                with self.subTest(what=what, how=how):
                    done = run("thread_ends", what, how, timeout=20)
                    self.assertEqual((done.returncode, done.stdout), (-signal.SIGABRT, ""))
                    self.assertRegex(
                        done.stderr,
                        r"^artel: a thread ended \(pthread_exit, or a cancellation\) inside of",
                    )

    def test_users_change_on_all_threads(self):
        for what in ("member", "nested", "outside", "groups"):
            for members in ("2", "8"):
                with self.subTest(what=what, members=members):
                    done = run("setxid", what, members, timeout=60)
                    if done.returncode == 77:
                        self.skipTest("needs root")
                    self.assertEqual((done.returncode, done.stdout), (0, "good\n"), done.stderr)

    def test_signals_and_their_masks_are_a_members_own(self):
        for what in (
            "masks",
            "signals",
            "held",
            "queued",
            "raised",
            "waited",
            "inherited",
            "handlers",
            "outside",
            "successors",
        ):
            for members in ("1", "2", "8") if what == "outside" else ("2", "8"):
                for settings in ({}, {"ARTEL_NUM_THREADS": "4"}):
                    with self.subTest(what=what, members=members, **settings):
                        self.good("good\n", "identity", what, members, **settings)

    def test_a_child_made_at_any_moment_goes_on(self):
        for settings in ({}, {"ARTEL_NUM_THREADS": "4"}, {"ARTEL_MEMBERS": "threads"}):
            with self.subTest(**settings):
                self.good("good\n", "fork_storm", "40", timeout=300, **settings)

    def test_members_that_are_threads_are_so_to_the_kernel(self):
        for what in (
            "numbers",
            "nested",
            "masks",
            "signals",
            "held",
            "mutexes",
            "clocks",
            "cpus",
            "timers",
            "queued",
            "raised",
            "waited",
            "inherited",
            "handlers",
            "outside",
            "successors",
        ):
            for members in ("2", "8"):
                with self.subTest(what=what, members=members):
                    self.good("good\n", "identity", what, members, ARTEL_MEMBERS="threads")

    def test_members_that_are_threads_do_what_members_do(self):
        threads = {"ARTEL_MEMBERS": "threads"}
        for width in ("1", "2", "3"):
            with self.subTest(width=width):
                self.good("mismatches 0\n", "threadprivate", ARTEL_NUM_THREADS=width, **threads)
        for members in ("2", "16", "40"):
            with self.subTest(members=members):
                self.good(
                    "passed\n",
                    "spinning",
                    members,
                    ARTEL_NUM_THREADS="2",
                    ARTEL_MONITOR="0",
                    **threads,
                )
        done = run("forking", **threads)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count(": ok\n"), 5, done.stdout)
        done = run("team_size", "5000", **threads)
        self.assertEqual(done.returncode, 1)
        self.assertIn("more than 4096 threads use the crew at a time", done.stderr)

    def test_statistics_are_printed_when_asked_for(self):
        done = run("team_size", "6", ARTEL_NUM_THREADS="2", ARTEL_STATS="1")
        self.assertEqual(done.stdout, "6 of 6\n", done.stderr)
        self.assertRegex(done.stderr, r"artel: width 2, 1 workers of its own")
        self.assertRegex(done.stderr, r"artel: +0 external( +\d+){10}\n")
        self.assertEqual(run("team_size", "6", ARTEL_NUM_THREADS="2").stderr, "")


if __name__ == "__main__":
    DROP_IN, FOLDER = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
