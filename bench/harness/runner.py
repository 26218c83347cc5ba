"""Runs the processes of a benchmark and collects what they print."""

import json
import os
import signal
import subprocess

SCRUBBED = ("OMP_", "GOMP_", "KMP_", "ARTEL_", "LD_PRELOAD", "LD_LIBRARY_PATH", "TBB_", "RAYON_")


def clean_environment(environment):
    """A copy without variables that would change a runtime's behaviour unnoticed."""
    return {key: value for key, value in environment.items() if not key.startswith(SCRUBBED)}


def own_scheduling_group():
    """In the child, before exec: a session of its own, and the highest weight for its autogroup, so
    that with autogrouping on it does not share its CPU time with whatever started the benchmark.
    Not allowed without privilege: then go on."""
    os.setsid()
    try:
        with open("/proc/self/autogroup", "w", encoding="ascii") as file:
            file.write("-19")
    except OSError:
        pass


def parse_lines(text):
    """The JSON objects among a program's lines that are measures."""
    found = []
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        try:
            value = json.loads(line)
        except json.JSONDecodeError:
            continue
        if isinstance(value, dict) and "measure" in value:
            found.append(value)
    return found


def run_process(command, environment, timeout):
    """Runs one program. Returns (measures, error): the error is "" or one sentence. Blocks; on
    interruption the child is killed with its session before the exception goes on."""
    try:
        # preexec_fn is safe here: this process has no other threads.
        child = subprocess.Popen(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=own_scheduling_group,
        )
    except OSError as error:
        return [], str(error)
    try:
        output, errors = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        _kill(child)
        output, errors = child.communicate()
        return parse_lines(output), f"not done after {timeout:.0f} s"
    except BaseException:
        _kill(child)
        child.wait()
        raise
    measures = parse_lines(output)
    if child.returncode < 0:
        return measures, f"killed by {signal.Signals(-child.returncode).name}"
    if child.returncode != 0:
        last = errors.strip().split("\n")[-1][:200]
        return measures, f"exit {child.returncode}: {last}"
    return measures, "" if measures else "printed no measure"


def _kill(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)  # setsid() made the pid the group's id too
    except ProcessLookupError:
        pass


def wrong_library(column, measures):
    """A sentence when the program reports another runtime than the column names, else ""."""
    if not column.library:
        return ""
    for line in measures:
        reported = line.get("library", "")
        if reported:
            reported = os.path.normpath(reported)  # a loader's search path may go by ".."
        if column.library not in reported:
            return f"measured {reported or 'an unknown library'} instead of {column.library}"
    return ""
