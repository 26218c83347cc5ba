"""Describes the machine and the software for the report."""

import os
import platform
import re
import subprocess


def _first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout or done.stderr).strip().split("\n")[0].strip()


def _file(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _field(text, pattern):
    match = re.search(pattern, text, re.MULTILINE)
    return match[1].strip().strip('"') if match else ""


def package_version(name):
    """Version of an installed Debian package, or an empty string."""
    return (
        _first_line(["dpkg-query", "-W", "-f", "${Version}", name])
        if os.path.exists("/usr/bin/dpkg-query")
        else ""
    )


def settings_of(environment):
    """The environment variables that control OpenMP runtimes, OpenBLAS or Artel; both sides get the
    same."""
    prefixes = ("OMP_", "GOMP_", "KMP_", "OPENBLAS_", "ARTEL_", "LD_PRELOAD", "MAGICK_")
    return {name: value for name, value in sorted(environment.items()) if name.startswith(prefixes)}


def describe(artel):
    """A dictionary of strings and numbers in the order in which they should be read. artel: path of
    the tool."""
    memory = _field(_file("/proc/meminfo"), r"^MemTotal:\s*(\d+) kB")
    return {
        "processor": _field(_file("/proc/cpuinfo"), r"^model name\s*:\s*(.*)$")
        or platform.processor(),
        "CPUs online": os.cpu_count(),
        "CPUs usable": len(os.sched_getaffinity(0)),
        "load at start": round(os.getloadavg()[0], 2),
        "memory": f"{int(memory) / 2**20:.1f} GiB" if memory else "",
        "virtual machine": _first_line(["systemd-detect-virt"])
        or ("yes" if "hypervisor" in _file("/proc/cpuinfo") else "no"),
        "system": _field(_file("/etc/os-release"), r"^PRETTY_NAME=(.*)$"),
        "kernel": platform.release(),
        "compiler of the examples": _first_line(["gcc", "--version"]),
        "stock runtime": f"libgomp {package_version('libgomp1')}".strip(),
        "OpenBLAS": package_version("libopenblas0-openmp"),
        "GraphicsMagick": package_version("graphicsmagick"),
        "Artel": _first_line([artel, "--version"]),
        "settings": settings_of(os.environ),
    }
