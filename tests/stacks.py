"""Of programs that hang: where all their threads are."""

import shutil
import subprocess
import sys

# Of gdb's output: the names of the threads and their frames, each cut to a readable line.
KEPT, WIDTH = ("#", "Thread"), 200


def stacks(process):
    """Where each thread of the process is, by gdb, or why that cannot be told."""
    if shutil.which("gdb") is None:
        return "no stacks: there is no gdb"
    try:
        told = subprocess.run(
            ["gdb", "-p", str(process), "-batch", "-nx"]
            + ["-ex", "set pagination off", "-ex", "thread apply all backtrace 30"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"no stacks: {error}"
    lines = [line[:WIDTH] for line in told.stdout.splitlines() if line.startswith(KEPT)]
    return "\n".join(lines) or f"no stacks: {told.stderr.strip()[-WIDTH:]}"


def print_stacks(group, to=sys.stdout):
    """Of every process of a process group."""
    members = subprocess.run(
        ["pgrep", "-g", str(group)], capture_output=True, text=True, check=False
    ).stdout.split()
    for process in members:
        print(f"process {process}:\n{stacks(process)}", file=to, flush=True)
