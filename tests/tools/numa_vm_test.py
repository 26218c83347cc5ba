"""`artel info --json` in a virtual machine with several NUMA nodes, where hwloc reads a real
kernel's tables.

The virtual machine is numa-vm, named by ARTEL_TEST_NUMA_VM or found as ../shared/tools/numa-vm
beside the source tree. Emulation makes this slow (about a minute a machine); it is left out, with
the reason, where numa-vm is missing."""
import json
import os
import subprocess
import unittest

from support import ROOT, TOOL, clean_environment

NUMA_VM = os.environ.get("ARTEL_TEST_NUMA_VM", str(ROOT.parent / "shared" / "tools" / "numa-vm"))


def info_in(*machine: str, before: str = "", **variables: str) -> dict:
    """The JSON of `artel info` in a machine of that shape; `before` goes in front of the command,
    such as taskset."""
    command = [
        NUMA_VM,
        "--timeout",
        "280",
        *machine,
        "--",
        "sh",
        "-c",
        f"{before} {TOOL} info --json",
    ]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, env=clean_environment(**variables)
    )
    if done.returncode == 125:
        raise unittest.SkipTest(f"numa-vm cannot run here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["machine"]


@unittest.skipUnless(
    os.access(NUMA_VM, os.X_OK), f"no numa-vm at {NUMA_VM}; set ARTEL_TEST_NUMA_VM to its path"
)
class NumaVm(unittest.TestCase):
    def test_four_nodes_and_one_with_memory_only(self):
        machine = info_in(
            "--nodes", "4", "--cpus-per-node", "2", "--mem-per-node", "256M", "--memory-only", "1"
        )
        nodes = machine["numa_nodes"]
        self.assertEqual(len(nodes), 5, machine)
        self.assertEqual([node["cpus"] for node in nodes], [2, 2, 2, 2, 0])
        self.assertEqual([node["memory_only"] for node in nodes], [False] * 4 + [True])
        self.assertTrue(all(node["memory_bytes"] > 100 << 20 for node in nodes), nodes)
        self.assertEqual(machine["effective_cpus"], 8)
        self.assertEqual(machine["cores"], 8)
        self.assertEqual([cpu["node"] for cpu in machine["cpus"]], [0, 0, 1, 1, 2, 2, 3, 3])

    def test_dies_with_smt_a_mask_and_numas(self):
        machine = info_in(
            "--nodes",
            "4",
            "--sockets",
            "2",
            "--cpus-per-node",
            "4",
            "--threads",
            "2",
            "--mem-per-node",
            "256M",
            before="taskset -c 0-11",
            ARTEL_NUMAS="1-3",
        )
        self.assertEqual(machine["online_cpus"], 16)
        self.assertEqual({cpu["node"] for cpu in machine["cpus"]}, {1, 2})
        self.assertEqual(machine["effective_cpus"], 8)
        self.assertEqual(machine["cores"], 4)
        self.assertEqual([cpu["smt"] for cpu in machine["cpus"]], [0] * 4 + [1] * 4)
        self.assertEqual(
            machine["reason"],
            "8 of 16 CPUs: the inherited affinity mask has CPUs 0-11; "
            "ARTEL_NUMAS=1-3 leaves 8 CPUs",
        )


if __name__ == "__main__":
    unittest.main()
