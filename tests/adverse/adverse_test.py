"""The C++ interface where the system gives little: few threads, little memory, a share of a CPU;
and in the children of forks.

usage: adverse_test.py PROGRAM_FOLDER ARTEL_TOOL
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest

FOLDER = ""
TOOL = ""
CGROUP = "/sys/fs/cgroup/cpu"


def run(program, *arguments, before=None, timeout=60, **variables):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ARTEL_")}
    environment.update(variables)
    return subprocess.run(
        [os.path.join(FOLDER, program), *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        preexec_fn=before,
        check=False,
    )


def address_space(mebibytes):
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))


class Forks(unittest.TestCase):
    def test_children_of_any_place_work(self):
        for workers in ("1", "2", "64"):
            with self.subTest(workers=workers):
                done = run("forking", ARTEL_NUM_THREADS=workers)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                lines = done.stdout.splitlines()
                self.assertEqual([line for line in lines if not line.endswith(": ok")], [])
                self.assertEqual(len(lines), 22, done.stdout)


class Limits(unittest.TestCase):
    @unittest.skipIf(os.geteuid() != 0, "limits of another user need root")
    def test_threads_that_cannot_be_created(self):
        for most in (1, 2, 5):
            # An ordinary user with room for few threads: root is exempt from RLIMIT_NPROC.
            def limit(most=most):
                resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
                os.setresuid(54321, 54321, 54321)

            probe = subprocess.run(
                ["test", "-x", os.path.join(FOLDER, "limited")], preexec_fn=limit, check=False
            )
            if probe.returncode != 0:
                self.skipTest("other users cannot reach the build folder")
            with self.subTest(most=most):
                done = run("limited", "1", "3", before=limit, ARTEL_NUM_THREADS="16")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(
                    done.stdout, f"^everything works, 16 workers, [1-{most}] threads\n$"
                )
                # Each message comes once, not each time that a thread is needed; with little enough
                # to do none may be needed.
                self.assertRegex(
                    done.stderr,
                    (
                        r"\A(artel: cannot create worker thread \d+: [A-Za-z ]+; going on with"
                        r" \d+\n)?(artel: cannot create the progress monitor: .+\n)?\Z"
                    ),
                )

    def test_little_memory_is_enough_for_few_stacks(self):
        for mebibytes in (64, 128, 256):
            with self.subTest(mebibytes=mebibytes):
                done = run(
                    "limited", "1", "2", before=address_space(mebibytes), ARTEL_NUM_THREADS="2"
                )
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, "^everything works")

    def test_light_threads_that_have_no_stack_yet_wait_for_one(self):
        # 2000 of them want a stack of 1 MiB each at once, and none waits for another.
        done = run(
            "limited", "1", "1", "0", "2000", before=address_space(400), ARTEL_NUM_THREADS="2"
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "^everything works")

    def test_who_needs_more_stacks_than_there_is_memory_is_told(self):
        try:
            done = run(
                "limited",
                "1",
                "1",
                "500",
                before=address_space(200),
                timeout=5,
                ARTEL_NUM_THREADS="2",
            )
            self.assertRegex(done.stdout, "^everything works")  # they may all have got one
        except subprocess.TimeoutExpired as hang:
            self.assertIn(
                "no memory for the stack of another light thread", (hang.stderr or b"").decode()
            )


class Quotas(unittest.TestCase):
    """A control group of version 1 with a share of a CPU."""

    def setUp(self):
        if not os.access(os.path.join(CGROUP, "cgroup.procs"), os.W_OK):
            self.skipTest(f"no control groups of version 1 can be made at {CGROUP}")
        self.group = tempfile.mkdtemp(prefix="artel-test-", dir=CGROUP)
        self.addCleanup(os.rmdir, self.group)

    def inside(self, period, quota):
        try:
            for name, value in (("cpu.cfs_period_us", period), ("cpu.cfs_quota_us", quota)):
                with open(os.path.join(self.group, name), "w", encoding="ascii") as f:
                    f.write(str(value))
        except OSError as error:
            self.skipTest(f"a quota cannot be set here: {error}")

        def enter():
            with open(os.path.join(self.group, "cgroup.procs"), "w", encoding="ascii") as f:
                f.write("0")

        return enter

    def test_the_crew_has_the_width_of_the_quota(self):
        enter = self.inside(100000, 60000)
        done = run("limited", "2", "2", before=enter)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "^everything works, 1 workers, ")
        told = subprocess.run(
            [TOOL, "info", "--json"], preexec_fn=enter, capture_output=True, text=True, check=True
        )
        machine = json.loads(told.stdout)["machine"]
        self.assertEqual(machine["effective_cpus"], 1)
        self.assertIn("quota", machine["reason"])

    def test_more_workers_than_the_quota_work_too(self):
        done = run("limited", "2", "2", before=self.inside(20000, 10000), ARTEL_NUM_THREADS="8")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, "^everything works, 8 workers, ")


if __name__ == "__main__":
    FOLDER, TOOL = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
