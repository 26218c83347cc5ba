"""python -m artel: runs a script, a module or a command on the crew, or tells about it."""

from __future__ import annotations

import os
import sys

USAGE = """usage: python -m artel SCRIPT [ARGUMENTS...]
       python -m artel -m MODULE [ARGUMENTS...]
       python -m artel -c COMMAND [ARGUMENTS...]
       python -m artel info | doctor [MODULES...] | run ... | other commands of artel

Runs a Python program on Artel's crew: OpenMP regions of wheels, OpenBLAS calls and the processes that it starts.
doctor imports the modules (by default those of the usual ones that are installed) and says who runs the threads of which library.
"""
COMMANDS = ("info", "run", "bench", "tune", "lab", "mpi")


def run_script(words: list[str]) -> None:
    """As `python` does with these words. The program's exceptions are its own."""
    from . import _patch

    _patch.patch()
    if words[0] in ("-m", "-c") and len(words) < 2:
        sys.exit(f"python -m artel: {words[0]}: argument expected")
    if words[0] == "-m":
        import runpy

        sys.argv = words[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    elif words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        sys.path[0] = ""
        main = sys.modules["__main__"]
        space = main.__dict__
        for name in [n for n in space if not n.startswith("__")]:
            del space[name]
        exec(compile(words[1], "<string>", "exec"), space)  # noqa: S102: that is what was asked for
    else:
        if not os.path.exists(words[0]):
            sys.exit(
                f"python -m artel: can't open file {words[0]!r}: no such file, and no command of"
                " artel"
            )
        import runpy

        sys.argv = words
        sys.path[0] = os.path.dirname(os.path.abspath(words[0]))
        runpy.run_path(words[0], run_name="__main__")


def main() -> None:
    from . import _native

    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help"):
        print(USAGE, end="")
        sys.exit(0 if words else 2)
    try:
        if words[0] == "doctor":
            from . import doctor

            sys.exit(doctor.main(words[1:]))
        if words[0] in COMMANDS and not os.path.exists(words[0]):
            from . import _command

            path = _command.tool()
            os.execv(path, [path, *words])
        if words[0].startswith("-") and words[0] not in ("-m", "-c"):
            sys.exit(f"python -m artel: unknown option {words[0]}\n{USAGE}")
        run_script(words)
    except _native.ArtelError as error:
        sys.exit(f"python -m artel: {error}")


main()
