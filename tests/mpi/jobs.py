"""Starts MPI jobs with our broadcast in every way that this machine has, and says what a job that
does not end is doing.

Environment: ARTEL_TEST_LIBDIR: where our libraries are; ARTEL_TEST_PROGRAMS: where the compiled
test programs are; ARTEL_TEST_MPI_PEERS: the MPIs from PyPI (bench/mpi/install-peers). Programs for
those are compiled when they are first needed. ARTEL_TEST_PRELOAD: libraries, separated by colons,
that every rank loads first: a sanitizer's, which our libraries were built with and programs and
MPIs were not.
"""
from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent / "bench" / "mpi")]
import mpis  # noqa: E402
from stacks import stacks  # noqa: E402

LIBDIR = pathlib.Path(os.environ.get("ARTEL_TEST_LIBDIR", "build/lib")).resolve()
PROGRAMS = pathlib.Path(os.environ.get("ARTEL_TEST_PROGRAMS", "build/tests/mpi")).resolve()
PRELOAD = [word for word in os.environ.get("ARTEL_TEST_PRELOAD", "").split(":") if word]
# Whether MPICH's ranks may be made to give the CPU away. The soak wants them as they are.
yields = True
PEERS = pathlib.Path(os.environ.get("ARTEL_TEST_MPI_PEERS", LIBDIR.parent / "mpi-peers")).resolve()


def preloading(*libraries: str) -> dict[str, str]:
    """The environment variables that load these into a program, after a sanitizer where there is
    one."""
    # What MPI libraries leave behind is not ours.
    found = (
        {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"}
        if PRELOAD
        else {}
    )
    return (
        {**found, "LD_PRELOAD": " ".join((*PRELOAD, *libraries))} if PRELOAD or libraries else found
    )


class Way:
    """One MPI with one of our libraries; its name is "MPI-shim" or "openmpi-component"."""

    def __init__(self, mpi: mpis.Mpi, form: str) -> None:
        self.mpi, self.form = mpi, form
        self.name = f"{mpi.name}-{form}"

    def library(self) -> pathlib.Path:
        return LIBDIR / (
            "artel-openmpi/mca_coll_artel.so"
            if self.form == "component"
            else f"libartel-mpi-{self.mpi.abi}.so"
        )

    def program(self, name: str) -> pathlib.Path:
        """The test program `name` for this MPI: NAME.c, with NAME_PART.c of its own."""
        binary, source = PROGRAMS / f"{name}.{self.mpi.name}", HERE / f"{name}.c"
        parts = sorted(HERE.glob(f"{name}_*.c"))
        if source.exists() and (
            not binary.exists()
            or binary.stat().st_mtime < max(file.stat().st_mtime for file in (source, *parts))
        ):
            subprocess.run(
                self.mpi.compile(source, binary, "-pthread", "-rdynamic", *map(str, parts)),
                env={**os.environ, **self.mpi.environment},
                check=True,
            )
        return binary

    def yielding(self, ranks: int) -> list[str]:
        """What makes ranks of Debian's MPICH give the CPU away when there are more of them than
        CPUs (yielding.c): jobs of four on two are over in a third of the time."""
        library = PROGRAMS / "libyielding.so"
        wanted = (
            yields
            and self.mpi.name == "mpich"
            and ranks > len(os.sched_getaffinity(0))
            and library.exists()
        )
        return [str(library)] if wanted else []

    def command(
        self,
        ranks: int,
        program: str,
        *arguments: str,
        before: tuple[str, ...] = (),
        words: tuple[str, ...] = (),
        variables: dict[str, str] | None = None,
        **settings: str,
    ) -> list[str]:
        """The command line of a job; settings are those of ARTEL_MPI_..., in lower case; `before`
        is put before the program; `words` are for the launcher and `variables` for every rank."""
        variables = {
            **(variables or {}),
            **{f"ARTEL_MPI_{name.upper()}": value for name, value in settings.items()},
        }
        variables |= preloading(
            *([str(self.library())] if self.form == "shim" else []), *self.yielding(ranks)
        )
        if self.form != "shim":
            words = (
                *words,
                "--mca",
                "mca_base_component_path",
                f"{self.library().parent}:SYSTEM_DEFAULT",
            )
        return self.mpi.job(
            ranks, [*before, str(self.program(program)), *arguments], variables, words
        )

    def command_over_hosts(
        self, each: int, program: str, *arguments: str, words: tuple[str, ...] = (), **settings: str
    ) -> list[str]:
        """A job of `each` ranks on each of the two hosts that the script `hosts` makes."""
        where, variables = self.mpi.over_hosts(["host0", "host1"], each, str(HERE / "as_rsh"))
        return [
            str(HERE / "hosts"),
            *self.command(
                2 * each,
                program,
                *arguments,
                words=(*where, *words),
                variables=variables,
                **settings,
            ),
        ]


def ways(*, peers: bool = True) -> list[Way]:
    """In which ways our broadcast can be used here, with or without the MPIs from PyPI."""
    found = []
    for mpi in mpis.installed(PEERS if peers else None):
        found += [
            way
            for way in (Way(mpi, "shim"), Way(mpi, "component"))
            if way.library().exists() and (way.form == "shim" or mpi.component)
        ]
    return found


class Stuck(Exception):
    """A job did not end in its time, nor in several times that; says what its processes were
    doing."""


def children(pid: int) -> list[int]:
    """All descendants."""
    found, parents = [], {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(
                    (entry / "stat").read_text().rsplit(")", 1)[1].split()[1]
                )
            except OSError:
                pass
    wanted = [pid]
    while wanted:
        parent = wanted.pop()
        below = [child for child, of in parents.items() if of == parent]
        found += below
        wanted += below
    return found


def activity(pid: int) -> tuple[int, int]:
    """Clock ticks used, and context switches, so far."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        switches = sum(
            int(line.split()[1])
            for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
            if "ctxt_switches" in line
        )
        return int(fields[11]) + int(fields[12]), switches
    except OSError:
        return 0, 0


def diagnosis(pids: list[int]) -> str:
    """Of each process: does it run, does it get the CPU, where is it. Twice, so that a hang can be
    told from somebody who is only slow."""
    before = {pid: activity(pid) for pid in pids}
    time.sleep(2)
    told = [f"load {os.getloadavg()[0]:.1f}"]
    for pid in pids:
        name = "?"
        try:
            name = pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
            waits = pathlib.Path(f"/proc/{pid}/wchan").read_text()
        except OSError:
            continue
        now = activity(pid)
        told.append(
            f"--- {pid} {name}: {now[0] - before[pid][0]} ticks and"
            f" {now[1] - before[pid][1]} switches in 2 s, in {waits or 'user code'}"
        )
        if not name.startswith(("mpi", "hydra", "orte", "prte", "prun", "sh")):
            told.append(stacks(pid))
    return "\n".join(told)


def end(process: subprocess.Popen) -> None:
    for pid in [*children(process.pid), process.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def run(
    words: list[str], environment: dict[str, str], limit: float, extra: float = 0
) -> subprocess.CompletedProcess:
    """Runs a job. When it has not ended after `limit` seconds, looks what it does, and gives it
    `extra` seconds more: if that was enough it was starved of CPUs, not hung, which goes to
    stderr; if not, raises Stuck. Times when this process was stopped itself do not count.
    """
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as error:
        with subprocess.Popen(
            words,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=error,
        ) as process:
            late = ""
            try:
                spent, last = 0.0, time.monotonic()
                while process.poll() is None:
                    time.sleep(0.02 if spent < 5 else 0.2)
                    now = time.monotonic()
                    spent, last = spent + min(now - last, 1.0), now
                    if spent > limit and not late:
                        late = (
                            f"{' '.join(words)}\nnot done after"
                            f" {spent:.0f} s\n{diagnosis(children(process.pid))}"
                        )
                    if spent > limit + extra:
                        raise Stuck(late)
            finally:
                if process.poll() is None:
                    end(process)
        texts = []
        for file in (out, error):
            file.seek(0)
            texts.append(file.read())
    # Where a test's seconds went.
    begin = next(
        (
            at
            for at, word in enumerate(words)
            if "/" in word and not word.startswith("-") and "=" not in word
        ),
        0,
    )
    print(
        f"{spent:6.1f} s  {pathlib.Path(words[0]).name} {' '.join(words[begin:])[-150:]}",
        file=sys.stderr,
        flush=True,
    )
    if late:
        print(f"{late}\nstarved, not hung: done after {spent:.0f} s", file=sys.stderr)
    return subprocess.CompletedProcess(words, process.returncode, *texts)
