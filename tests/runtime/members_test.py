"""Members of teams: those that wait for each other in ways that no runtime sees, what is a member's
own, and members that are threads."""

import os
import unittest

from runtime_case import DROP_IN, FOLDER, RuntimeCase, run

# What is checked by which program.
CHECKS = {
    "identity": ("numbers", "nested", "mutexes", "clocks", "cpus", "timers"),
    "member_masks": ("masks", "waited", "inherited", "handlers"),
    "member_signals": ("signals", "held", "queued", "raised", "outside", "successors"),
    "process_signals": (
        "outside_of_regions",
        "cancelled",
        "sent_to_the_process",
        "masks_of_a_child",
    ),
}


def named_checks(*programs):
    return [(program, what) for program in programs for what in CHECKS[program]]


class Waiting(RuntimeCase):
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
                        "yielding_holders",
                        lock,
                        members,
                        ARTEL_NUM_THREADS=width,
                        ARTEL_MONITOR="0",
                    )
            with self.subTest(lock=lock):
                self.good("good\n", "yielding_holders", lock, "8", ARTEL_NUM_THREADS="2")
                self.good("good\n", "yielding_holders", lock, "3", ARTEL_MEMBERS="threads")

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

    def test_nested_members_that_spin_on_each_other_get_threads(self):
        self.good("passed\n", "spinning", "6", "3")


class Own(RuntimeCase):
    def test_threadprivate_goes_with_the_member(self):
        for width in ("1", "2", "3"):
            with self.subTest(width=width):
                self.good("mismatches 0\n", "threadprivate", ARTEL_NUM_THREADS=width)

    def test_signals_reach_members(self):
        self.good("blocked 0, missed 0, ticks of the initial thread only: no\n", "signals")

    def test_signals_and_their_masks_are_a_members_own(self):
        for program, what in named_checks("member_masks", "member_signals", "process_signals"):
            for members in ("1", "2", "8") if what == "outside" else ("2", "8"):
                for settings in ({}, {"ARTEL_NUM_THREADS": "4"}):
                    with self.subTest(what=what, members=members, **settings):
                        self.good("good\n", program, what, members, **settings)

    def test_users_change_on_all_threads(self):
        for what in ("member", "nested", "outside", "groups"):
            for members in ("2", "8"):
                with self.subTest(what=what, members=members):
                    done = run("setxid", what, members, timeout=60)
                    if done.returncode == 77:
                        self.skipTest("needs root")
                    self.assertEqual((done.returncode, done.stdout), (0, "good\n"), done.stderr)


class Threads(RuntimeCase):
    def test_members_that_are_threads_are_so_to_the_kernel(self):
        for program, what in named_checks(*CHECKS):
            for members in ("2", "8"):
                with self.subTest(what=what, members=members):
                    self.good("good\n", program, what, members, ARTEL_MEMBERS="threads")

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


if __name__ == "__main__":
    unittest.main()
