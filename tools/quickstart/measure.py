"""Runs one program once and measures it: wall time, CPU time, threads created, context switches.

Wall time is taken around the life of the process; CPU time and context switches are the kernel's
own accounting of the whole process tree, which wait4 returns; threads come from a counter of
threads.py. While the program runs, its memory map is read until the OpenMP runtime appears in it: a
comparison in which both sides used the same runtime would be worthless."""

import dataclasses
import os
import re
import select
import shutil
import signal
import time
from typing import Optional

RUNTIME_NAME = re.compile(r"/(lib(?:gomp|omp|iomp5)[^/\s]*\.so[^/\s]*)$")


@dataclasses.dataclass
class Run:
    """The result of one run of a program."""

    wall: float  # seconds
    cpu: float  # seconds, user + system, all threads
    threads: Optional[int]  # created, not counting the first; None when not known
    threads_exact: bool  # False: an upper bound
    switches: int  # voluntary + involuntary
    memory: int  # largest resident set, bytes
    # file name of the OpenMP library that was mapped; None when it was not seen
    runtime: Optional[str]
    failure: str  # empty, or what went wrong in words
    answer: list  # what has to be equal between runs

    @property
    def hung(self):
        """Whether it had to be killed."""
        return self.failure.startswith("did not finish")

    def as_dict(self):
        return dataclasses.asdict(self)


def describe_status(status, seconds_allowed, timed_out):
    """An exit status of wait4 in words; empty for success."""
    if timed_out:
        return f"did not finish within {seconds_allowed:g} s and was killed"
    code = os.waitstatus_to_exitcode(status)
    if code == 0:
        return ""
    if code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit status {code}"


def runtimes_in_maps(text):
    """File names of the OpenMP runtimes in the text of a /proc/PID/maps, without repeats, in
    order."""
    names = []
    for line in text.splitlines():
        match = RUNTIME_NAME.search(line)
        if match and match[1] not in names:
            names.append(match[1])
    return names


def _mapped_runtime(pid):
    """The runtime mapped by the process or one of its children, or None. Ours shadows the stock one
    when both are."""
    processes = [pid]
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            processes += [int(child) for child in file.read().split()]
    except OSError:
        pass
    found = []
    for process in processes:
        try:
            with open(f"/proc/{process}/maps", encoding="utf-8", errors="replace") as file:
                found += runtimes_in_maps(file.read())
        except OSError:
            continue  # it ended just now
    for name in found:
        if "artel" in name:
            return name
    return found[0] if found else None


def _own_scheduling_group(pid):
    """Keeps other sessions of the machine from taking CPU time from the program; matters on shared
    machines only."""
    try:
        with open(f"/proc/{pid}/autogroup", "w", encoding="ascii") as file:
            file.write("-19")
    except OSError:
        pass  # not allowed, or a kernel without autogroups


class _End:
    """The end of a child process that has not been collected yet."""

    def __init__(self, pid):
        self._pid = pid
        try:
            self._handle = os.pidfd_open(pid)
        except OSError:  # Linux before 5.3, or a filter that does not know the call
            self._handle = None
        else:
            self._poll = select.poll()
            self._poll.register(self._handle, select.POLLIN)

    def comes_within(self, milliseconds):
        """Waits at most so long; whether it has come."""
        if self._handle is not None:
            return bool(self._poll.poll(milliseconds))
        deadline = time.monotonic() + milliseconds / 1000
        while os.waitid(os.P_PID, self._pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.001)
        return True

    def close(self):
        if self._handle is not None:
            os.close(self._handle)


def run_once(
    command, output_path, counter, allowed=300.0, tick=lambda elapsed: None, environment=None
):
    """Runs the command (argv with a program that is searched in PATH), its stdout and stderr in the
    given file.

    allowed: seconds after which the whole session of the program is killed; tick(elapsed) is called
    a few times a second. Returns a Run whose answer is still empty. A program that cannot be
    started is a failure, not an exception."""
    environment = dict(os.environ if environment is None else environment)
    program = shutil.which(command[0])
    if program is None:
        return Run(0, 0, None, True, 0, 0, None, f"{command[0]} is not there", [])
    counter.start()
    start = time.monotonic()
    try:
        pid = os.posix_spawn(
            program,
            command,
            environment,
            setsid=True,  # gives it a scheduling group and a process group of its own
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, output_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
        )
    except OSError as error:
        failure = f"{command[0]} cannot be started: {error.strerror}"
        return Run(0, 0, None, True, 0, 0, None, failure, [])
    runtime = None
    timed_out = False
    end = None
    try:
        _own_scheduling_group(pid)
        end = _End(pid)
        pause = 20  # milliseconds; short at first, to see the runtime in programs that end soon
        while not end.comes_within(pause):
            elapsed = time.monotonic() - start
            counter.drain()
            if runtime is None:
                runtime = _mapped_runtime(pid)
            tick(elapsed)
            pause = min(2 * pause, 200)
            if elapsed > allowed:
                timed_out = True
                os.killpg(pid, signal.SIGKILL)
                break
    except BaseException:  # mostly Ctrl-C: no process of ours may stay behind
        os.killpg(pid, signal.SIGKILL)
        os.wait4(pid, 0)
        raise
    finally:
        if end is not None:
            end.close()
    _, status, usage = os.wait4(pid, 0)
    wall = time.monotonic() - start
    created, exact = counter.count(pid)
    return Run(
        wall=wall,
        cpu=usage.ru_utime + usage.ru_stime,
        threads=created,
        threads_exact=exact,
        switches=usage.ru_nvcsw + usage.ru_nivcsw,
        memory=usage.ru_maxrss * 1024,
        runtime=runtime,
        failure=describe_status(status, allowed, timed_out),
        answer=[],
    )
