"""What the tests of the tool share: where it is, and how it is called with a known environment."""
import contextlib
import os
import pathlib
import subprocess
import unittest

TOOL = os.environ.get("ARTEL_TEST_TOOL", "")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def clean_environment(**variables: str) -> dict[str, str]:
    """The caller's environment without any option of ours or of OpenMP, plus `variables`."""
    kept = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("ARTEL_", "OMP_", "GOMP_", "LD_PRELOAD"))
    }
    # An instrumented tool would refuse to start under the LD_PRELOAD of a test.
    kept["ASAN_OPTIONS"] = kept.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
    return kept | variables


def artel(*arguments: str, tool: str = TOOL, **variables: str) -> subprocess.CompletedProcess:
    """Runs `artel ARGUMENTS...` and gives what it printed and its exit status."""
    return subprocess.run(
        [tool, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=clean_environment(**variables),
    )


@contextlib.contextmanager
def half_a_cpu(test: unittest.TestCase):
    """Gives a preexec_fn by which a process enters a control group (version 1) that has a quota of
    half a CPU."""
    parent = "/sys/fs/cgroup/cpu"
    group = pathlib.Path(f"{parent}/artel-tool-test-{os.getpid()}")
    if not os.path.exists(f"{parent}/cgroup.procs"):
        test.skipTest(f"no cgroup v1 cpu hierarchy at {parent}")
    try:
        group.mkdir()
    except OSError as error:
        test.skipTest(f"cannot create {group}: {error.strerror}")
    try:
        (group / "cpu.cfs_quota_us").write_text("50000")
        yield lambda: (group / "cgroup.procs").write_text("0")
    except OSError as error:
        test.skipTest(f"cannot set a quota: {error}")
    finally:
        group.rmdir()
