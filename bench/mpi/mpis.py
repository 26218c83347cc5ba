"""The MPIs of this machine: Debian's, and those from PyPI that install-peers put into a folder of
its own.

They differ in the compiler, the launcher and its words, the environment, and which of our libraries
fits. There are three binary interfaces, so three shims for all: Open MPI's (libmpi.so.40: 4.1,
5.0), MPICH's (libmpi.so.12: MPICH, Intel MPI), and the standard's (libmpi_abi.so.1: MPICH 5, Intel
MPI 2021.18)."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys


@dataclasses.dataclass(frozen=True)
class Mpi:
    name: str
    abi: str  # openmpi, mpich or abi: libartel-mpi-ABI.so
    launcher: str
    compiler: str
    environment: dict[str, str]  # of compiler and launcher
    given: dict[str, str] = dataclasses.field(default_factory=dict)  # to every rank
    component: bool = False  # coll/artel can be loaded into it

    def compile(self, source: pathlib.Path, binary: pathlib.Path, *flags: str) -> list[str]:
        """The command that makes a program of a C file."""
        return [self.compiler, "-O2", "-g", *flags, str(source), "-o", str(binary)]

    def job(
        self,
        ranks: int,
        program: list[str],
        variables: dict[str, str],
        words: tuple[str, ...] = (),
        bound: bool = False,
    ) -> list[str]:
        """The command that runs a program on so many ranks of this machine, each with these
        environment variables; `words` go to the launcher."""
        variables = {**self.given, **variables}
        if self.abi == "openmpi":
            found = [
                self.launcher,
                "--oversubscribe",
                "--bind-to",
                "core" if bound else "none",
                "-np",
                str(ranks),
                *words,
            ]
            return (
                found
                + [w for name, value in variables.items() for w in ("-x", f"{name}={value}")]
                + program
            )
        found = [self.launcher, *(("-bind-to", "core") if bound else ()), "-np", str(ranks), *words]
        return (
            found
            + [w for name, value in variables.items() for w in ("-genv", name, value)]
            + program
        )

    def output(self, job: list[str]) -> str:
        """The output of a job, "" when it did not end in 300 s. That, and a failed job, is reported
        on stderr."""
        try:
            done = subprocess.run(
                job,
                env={**os.environ, **self.environment},
                capture_output=True,
                text=True,
                timeout=300,
                check=False,
            )
        except subprocess.TimeoutExpired:
            print(f"{' '.join(job)}\ndid not end in 300 s", file=sys.stderr)
            return ""
        if done.returncode != 0:
            print(
                f"{' '.join(job)}\nended with {done.returncode}\n{done.stderr[-2000:]}",
                file=sys.stderr,
            )
        return done.stdout

    def over_hosts(
        self, hosts: list[str], each: int, shell: str
    ) -> tuple[tuple[str, ...], dict[str, str]]:
        """Words for the launcher and environment that start the first `each` ranks on the first
        host, the next on the second...; `shell` is the program that the launcher starts its parts
        on other hosts with, called as rsh is."""
        if self.abi == "openmpi":
            agent = (
                ("--prtemca", "plm_ssh_agent")
                if self.name == "openmpi5"
                else ("--mca", "plm_rsh_agent")
            )
            return (*agent, shell, "--host", ",".join(f"{host}:{each}" for host in hosts)), {}
        where = ("-hosts", ",".join(hosts), "-ppn", str(each))
        if self.name.startswith("intel"):
            return ("-bootstrap", "rsh", "-bootstrap-exec", shell, *where), {
                "I_MPI_FABRICS": "shm:ofi",
                "FI_PROVIDER": "tcp",
            }
        # UCX would take the first device, which does not reach the other hosts.
        return ("-launcher", "rsh", "-launcher-exec", shell, *where), {"UCX_NET_DEVICES": "eth0"}


# Open MPI refuses to run as root unless told twice; its launcher has other variables for that from
# 5.0 on.
OPENMPI = {
    f"{who}_ALLOW_RUN_AS_ROOT{twice}": "1" for who in ("OMPI", "PRTE") for twice in ("", "_CONFIRM")
}


def installed(peers: pathlib.Path | None = None) -> list[Mpi]:
    """The MPIs that can compile and run programs on this machine; `peers` is the folder of
    install-peers."""
    found = []
    for name, environment in (("openmpi", OPENMPI), ("mpich", {})):
        if shutil.which(f"mpirun.{name}") and shutil.which(f"mpicc.{name}"):
            found.append(
                Mpi(
                    name,
                    name,
                    f"mpirun.{name}",
                    f"mpicc.{name}",
                    environment,
                    component=name == "openmpi",
                )
            )
    if peers is None:
        return found

    def there(folder: str, program: str) -> bool:
        return (peers / folder / "bin" / program).exists() and (
            peers / folder / "bin" / "mpirun"
        ).exists()

    def add(
        name: str, abi: str, folder: str, environment: dict[str, str], compiler: str = "mpicc"
    ) -> None:
        at = peers / folder / "bin"
        found.append(Mpi(name, abi, str(at / "mpirun"), str(at / compiler), environment))

    if there("openmpi", "mpicc"):
        add("openmpi5", "openmpi", "openmpi", OPENMPI)
    if there("mpich", "mpicc"):
        add("mpich5", "mpich", "mpich", {})
    if there("mpich", "mpicc_abi"):
        add("mpich5-abi", "abi", "mpich", {}, "mpicc_abi")
    if there("intel", "mpicc"):
        # If no fabric is named, it may look for network cards.
        intel = {"I_MPI_ROOT": str(peers / "intel"), "I_MPI_FABRICS": "shm"}
        add("intel", "mpich", "intel", intel)
        if there("mpich", "mpicc_abi"):
            # The purpose of the standard's interface: a program is compiled with one MPI and run
            # with another.
            libraries = {"LD_LIBRARY_PATH": str(peers / "intel" / "lib")}
            found.append(
                Mpi(
                    "intel-abi",
                    "abi",
                    str(peers / "intel/bin/mpirun"),
                    str(peers / "mpich/bin/mpicc_abi"),
                    intel,
                    libraries,
                )
            )
    return found


def in_turn(names: list[str], turn: int) -> list[str]:
    """All of them, each time another one first."""
    return names[turn % len(names) :] + names[: turn % len(names)]
