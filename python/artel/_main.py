"""python -m artel: runs a script, a module or a command on the crew, or tells about it."""

from __future__ import annotations

import os
import sys

USAGE = """usage: python -m artel SCRIPT [ARGUMENTS...]
       python -m artel -m MODULE [ARGUMENTS...]
       python -m artel -c CODE [ARGUMENTS...]
       python -m artel doctor [MODULES...]
       python -m artel COMMAND [WORDS...]

Runs a Python program on Artel's crew: OpenMP regions of wheels, OpenBLAS calls and the processes
that it starts.

  SCRIPT   a file, or a folder or archive with a __main__.py; - is the standard input
  doctor   imports the modules (by default those of the usual ones that are installed) and says who
           runs the threads of which library; exit status 1 where something is not served by Artel
  COMMAND  of artel (info, run, bench, ...; `python -m artel run --help` tells about one): a word
           without a dot or a slash that names no such file, folder or archive

  -h, --help  this text        -V, --version  the version

Exit status: the program's own; 1 where Artel cannot do what was asked, 2 on a wrong command line.
"""


def _refuse(what: str, code: int = 2) -> None:
    print(f"python -m artel: {what}", file=sys.stderr)
    sys.exit(code)


def _run_program(words: list[str]) -> None:
    """The program's exceptions are its own."""
    from . import _program

    if words[0] == "-m":
        _program.module(words[1], words[2:])
    elif words[0] == "-c":
        _program.command(words[1], words[2:])
    elif words[0] == "-":
        _program.standard_input(words)
    else:
        _program.script(words)


def _is_program(word: str) -> bool:
    """Whether python could run what has this name."""
    if os.path.isdir(word):
        return os.path.exists(os.path.join(word, "__main__.py"))
    return os.path.exists(word)


def _is_of_tool(word: str) -> bool:
    """Whether artel is to say what it makes of the word: it alone knows its commands."""
    return not (word.startswith("-") or "." in word or os.sep in word or _is_program(word))


def _check(words: list[str]) -> None:
    first = words[0]
    if first in ("-m", "-c"):
        if len(words) < 2:
            _refuse(f"{first}: argument expected")
    elif first.startswith("-") and first != "-":
        _refuse(f"unknown option {first}\n{USAGE}")
    elif first != "-" and not os.path.exists(first):
        _refuse(f"can't open file {first!r}: no such file")
    elif first != "-" and not os.access(first, os.R_OK):
        _refuse(f"can't open file {first!r}: permission denied")
    elif first != "-" and not _is_program(first):
        _refuse(f"can't find a __main__.py in {first!r}", 1)


def main() -> None:
    from . import _native

    words = sys.argv[1:]
    if not words or words[0] in ("-h", "--help"):
        print(USAGE, end="", file=sys.stdout if words else sys.stderr)
        sys.exit(0 if words else 2)
    if words[0] in ("-V", "--version"):
        from . import __version__

        print(f"artel {__version__}")
        return
    try:
        if words[0] == "doctor":
            from . import doctor

            sys.exit(doctor.main(words[1:]))
        if _is_of_tool(words[0]):
            from . import _command

            path = _command.tool()
            os.execv(path, [path, *words])
        _check(words)
        from . import _patch

        _patch.patch()
    except _native.ArtelError as error:
        _refuse(str(error), 1)
    _run_program(words)
