"""The process that has the drop-in: settings, forks, plug-ins, threads of the program and the ends
of threads."""

import os
import signal
import subprocess
import unittest

from runtime_case import DROP_IN, FOLDER, RuntimeCase, run


class Process(RuntimeCase):
    def test_regions_work_in_forked_children(self):
        done = run("forking")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count(": ok\n"), 5, done.stdout)

    def test_members_fork_and_their_children_make_threads(self):
        self.good("good\n", "forking_members", ARTEL_NUM_THREADS="4")

    def test_settings_made_in_main_come_too_late_as_under_libgomp(self):
        for library in ("", DROP_IN):
            for before in ({}, {"OMP_WAIT_POLICY": "passive"}):
                with self.subTest(library=library, before=before):
                    self.good("0 0 0\n", "settings_in_main", LD_PRELOAD=library, **before)

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

    def test_plugins_with_regions_can_be_closed(self):
        self.good("closed\n", "plugin_host", os.path.join(FOLDER, "plugin.so"))

    def test_threads_of_the_program_have_regions_at_once(self):
        self.good("900 everywhere\n", "external_threads")

    def test_threads_that_nobody_needs_any_more_end(self):
        self.good("few\n", "retiring", timeout=240)

    def test_process_ends_with_the_programs_last_thread(self):
        self.good("4 after main\n", "initial_thread_leaves", timeout=20)
        self.good("4 after main\n", "initial_thread_leaves", "without_a_region", timeout=20)

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

    def test_a_child_made_at_any_moment_goes_on(self):
        for settings in ({}, {"ARTEL_NUM_THREADS": "4"}, {"ARTEL_MEMBERS": "threads"}):
            with self.subTest(**settings):
                self.good("good\n", "fork_storm", "40", timeout=300, **settings)

    def test_statistics_are_printed_when_asked_for(self):
        done = run("team_size", "6", ARTEL_NUM_THREADS="2", ARTEL_STATS="1")
        self.assertEqual(done.stdout, "6 of 6\n", done.stderr)
        self.assertRegex(done.stderr, r"artel: width 2, 1 workers of its own")
        self.assertRegex(done.stderr, r"artel: +0 external( +\d+){10}\n")
        self.assertEqual(run("team_size", "6", ARTEL_NUM_THREADS="2").stderr, "")


if __name__ == "__main__":
    unittest.main()
