"""The machine on which figures were measured, and whether other programs used it meanwhile."""

import glob
import os
import platform
import re
import resource
import subprocess
import time


def _read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _first_line(command):
    """First line a command prints, "" when it cannot be run."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout or done.stderr).strip().split("\n")[0]


def package_version(name):
    """Version of an installed Debian package, "" if there is none."""
    try:
        done = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", name],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout if done.returncode == 0 else ""


def _distributions(venv):
    """PyPI packages of the environment, from the names of their metadata folders."""
    found = {}
    for name in ("intel_openmp", "tbb"):
        for path in glob.glob(f"{venv}/lib/python*/site-packages/{name}-*.dist-info"):
            found[name.replace("_", "-") + " (PyPI)"] = os.path.basename(path)[
                len(name) + 1 : -len(".dist-info")
            ]
    return found


def _rayon(peers):
    match = re.search(r'name = "rayon"\nversion = "([^"]+)"', _read(f"{peers}/rayon/Cargo.lock"))
    return {"rayon": match.group(1)} if match else {}


def _taskflow(peers):
    text = _read(f"{peers}/taskflow/usr/include/taskflow/taskflow.hpp")
    match = re.search(r"#define TF_VERSION (\d+)", text)
    if not match:
        return {}
    number = int(match.group(1))
    return {"taskflow": f"{number // 100000}.{number // 100 % 1000}.{number % 100}"}


def describe(root, venv, peers):
    """Facts for the head of a report. Everything missing is left out or empty."""
    cpuinfo = _read("/proc/cpuinfo")
    model = re.search(r"^model name\s*: (.*)$", cpuinfo, re.MULTILINE)
    governors = {
        _read(path).strip()
        for path in glob.glob("/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor")
    }
    libraries = {}
    for package in (
        "libgomp1",
        "libomp5-19",
        "libtbb12",
        "libeigen3-dev",
        "libboost-context1.74.0",
        "libboost-fiber1.74.0",
        "libopenmpi3",
        "libmpich12",
        "python3",
    ):
        version = package_version(package)
        if version:
            libraries[package] = version
    libraries.update(_distributions(venv))
    libraries.update(_taskflow(peers))
    libraries.update(_rayon(peers))
    return {
        "time": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "cpu": model.group(1) if model else platform.machine(),
        "cpus": len(os.sched_getaffinity(0)),
        "hypervisor": "hypervisor" in cpuinfo,
        "kernel": platform.release(),
        "governor": ", ".join(sorted(governors)) or "none visible",
        "load_before": _read("/proc/loadavg").split()[:3],
        "compilers": {
            "gcc": _first_line(["gcc", "--version"]),
            "clang": _first_line(["clang-19", "--version"]),
        },
        "libraries": libraries,
        "artel": _first_line(["git", "-C", root, "describe", "--always", "--dirty", "--tags"]),
    }


def parse_cpu_line(text):
    """Busy and stolen CPU seconds since boot, from /proc/stat. Busy excludes idle, I/O wait and
    steal; guest time is already part of user time."""
    fields = [int(field) for field in text.split("\n", 1)[0].split()[1:]]
    fields += [0] * (8 - len(fields))
    user, nice, system, _idle, _iowait, irq, softirq, steal = fields[:8]
    hertz = os.sysconf("SC_CLK_TCK")
    return (user + nice + system + irq + softirq) / hertz, steal / hertz


class Monitor:
    """How many CPUs others used between start() and stop(): all busy time of the machine less that
    of our children. The load average would not do: it counts our own threads, and lags by a
    minute."""

    def __init__(self):
        self._start = None

    @staticmethod
    def _now():
        busy, steal = parse_cpu_line(_read("/proc/stat"))
        ours = 0.0
        for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF):
            usage = resource.getrusage(who)
            ours += usage.ru_utime + usage.ru_stime
        return time.monotonic(), busy, steal, ours

    def start(self):
        self._start = self._now()

    def stop(self):
        """How many CPUs other processes used, and how many were stolen; children must have been
        waited for."""
        wall, busy, steal, ours = (now - then for now, then in zip(self._now(), self._start))
        wall = max(wall, 1e-9)
        return {
            "seconds": wall,
            "others": max(0.0, (busy - ours) / wall),
            "steal": max(0.0, steal / wall),
        }
