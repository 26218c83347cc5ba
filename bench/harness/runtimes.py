"""The runtimes that figures compare: which binary, with which environment, and how to verify that
it was used."""

import dataclasses
import os
import subprocess


@dataclasses.dataclass(frozen=True)
class Places:
    """The places of programs and libraries; absolute paths."""

    root: str
    build: str
    programs: str
    venv: str
    peers: str
    libraries: str = ""  # where libartel is; build/lib when empty

    def __post_init__(self):
        if not self.libraries:
            object.__setattr__(self, "libraries", f"{self.build}/lib")

    @property
    def drop_in(self):
        inside = f"{self.libraries}/libgomp-artel.so.1"
        return (
            inside if os.path.exists(inside) else f"{self.libraries}/artel/libgomp-artel.so.1"
        )  # as installed


@dataclasses.dataclass
class Runtime:
    """One column of a table."""

    name: str
    ours: bool = False
    prefix: str = ""  # of the binary: prefix + program
    environment: dict = dataclasses.field(default_factory=dict)
    library: str = ""  # must be part of the path that the program reports
    absent: str = ""  # why it cannot be run; "" when it can
    arguments: list = dataclasses.field(default_factory=list)


def exports(library, symbol):
    """Whether a shared library defines a dynamic symbol."""
    try:
        done = subprocess.run(
            ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=False
        )
    except OSError:
        return False
    return any(
        line.split()[-1].split("@")[0] == symbol for line in done.stdout.splitlines() if line
    )


def openmp(places):
    """The OpenMP columns. Ours appears twice once it also speaks libomp's ABI."""
    have_drop_in = os.path.exists(places.drop_in)
    absent = "" if have_drop_in else f"{os.path.relpath(places.drop_in, places.root)} is not built"
    preload = {"LD_PRELOAD": places.drop_in}
    columns = [
        Runtime("artel", True, "openmp-gcc-", preload, "libgomp-artel", absent),
        Runtime("libgomp", False, "openmp-gcc-", {}, "/libgomp.so.1"),
        Runtime("libomp", False, "openmp-clang-", {}, "/libomp.so.5"),
        Runtime(
            "libiomp5",
            False,
            "openmp-clang-",
            {"LD_LIBRARY_PATH": f"{places.peers}/iomp"},
            f"{places.peers}/iomp/libomp.so.5",
            "" if os.path.exists(f"{places.peers}/iomp/libomp.so.5") else "run bench/install-peers",
        ),
    ]
    if have_drop_in and exports(places.drop_in, "__kmpc_fork_call"):
        columns.insert(1, Runtime("artel (clang)", True, "openmp-clang-", preload, "libgomp-artel"))
    return columns


def nested(places):
    """The OpenMP columns with nesting on, and the peers once more with inner regions of one
    thread."""
    columns = []
    for column in openmp(places):
        columns.append(
            dataclasses.replace(
                column, environment={**column.environment, "OMP_MAX_ACTIVE_LEVELS": "8"}
            )
        )
        if not column.ours:
            columns.append(
                dataclasses.replace(
                    column,
                    name=f"{column.name}/1-level",
                    environment={**column.environment, "OMP_MAX_ACTIVE_LEVELS": "1"},
                )
            )
    return columns


def mixed(places):
    """The columns for a program with plug-ins by both compilers: one crew for both, or a runtime of
    its own for each."""
    ours = openmp(places)[0]
    return [
        Runtime("artel", True, "openmp-", ours.environment, ours.library, ours.absent),
        Runtime("libgomp + libomp", False, "openmp-", {}, "/libgomp.so.1"),
    ]


def cpp(places, benchmark, names):
    """The C++ columns of one benchmark, by competitor name."""
    columns = []
    for name in names:
        if name == "rayon":
            columns.append(Runtime("rayon", False, "cpp-rayon", {}, "", "", ["--what", benchmark]))
        elif name == "libgomp":
            columns.append(
                Runtime("libgomp", False, f"cpp-{benchmark}-openmp", {}, "/libgomp.so.1")
            )
        else:
            ours = name.startswith("artel")
            columns.append(
                Runtime(
                    name,
                    ours,
                    f"cpp-{benchmark}-{name}",
                    {"LD_LIBRARY_PATH": places.libraries} if ours else {},
                )
            )
    return columns


def lab_index(places):
    """The columns of the loop over processes: ours, the threads of the crew as the floor, and the
    others."""
    environment = {"LD_LIBRARY_PATH": places.libraries}
    return [
        Runtime(
            "process_crew", True, "lab-index-artel", environment, "", "", ["--what", "process_crew"]
        ),
        Runtime(
            "parallel_for",
            False,
            "lab-index-artel",
            environment,
            "",
            "",
            ["--what", "parallel_for"],
        ),
        Runtime("openmpi", False, "lab-index-openmpi"),
        Runtime("mpich", False, "lab-index-mpich"),
        Runtime("multiprocessing", False, "lab-index-multiprocessing"),
    ]


def lab_workload(places, workload):
    """The columns of one of the lab's workloads: its tasks on a crew of processes, as threads, and
    as processes made for them."""
    return [
        Runtime(
            name,
            name == "process_crew",
            "lab-workload",
            {"LD_LIBRARY_PATH": places.libraries},
            "",
            "",
            ["--what", f"{workload}:{how}"],
        )
        for name, how in (("process_crew", "process_crew"), ("T", "threads"), ("P", "processes"))
    ]


def resolve(places, column, program):
    """Path of the binary, with column.absent filled in when it is not there."""
    path = f"{places.programs}/bin/{column.prefix}{program}"
    if not column.absent and not os.path.exists(path):
        column.absent = (
            "not built: its library is missing (bench/install-peers)"
            if not column.ours
            else "not built yet"
        )
    return path
