"""Of programs that hang: where all their threads are."""

import shutil
import subprocess
import sys


def print_stacks(group, to=sys.stdout):
    """Of the processes of a process group, by gdb, if there is one."""
    if shutil.which("gdb") is None:
        return
    members = subprocess.run(
        ["pgrep", "-g", str(group)], capture_output=True, text=True, check=False
    ).stdout.split()
    for process in members:
        print(f"process {process}:", file=to, flush=True)
        subprocess.run(
            ["gdb", "-p", process, "-batch", "-ex", "set pagination off"]
            + ["-ex", "thread apply all backtrace 30"],
            stdin=subprocess.DEVNULL,
            stdout=to,
            stderr=subprocess.DEVNULL,
            check=False,
            timeout=100,
        )
