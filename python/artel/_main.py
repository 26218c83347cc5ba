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


def _search_first(folder: str) -> None:
    """As python does it, unless it was told to leave the path alone (-P, -I)."""
    if not (getattr(sys.flags, "safe_path", False) or sys.flags.isolated):
        sys.path[0] = folder


def _fresh_main() -> dict:
    """The names of the module __main__ as python begins a script with them."""
    from importlib.machinery import BuiltinImporter

    space = sys.modules["__main__"].__dict__
    # Depends on the version of Python.
    kept: dict = {"__annotations__": {}} if "__annotations__" in space else {}
    space.clear()
    space.update(
        __name__="__main__",
        __doc__=None,
        __package__=None,
        __loader__=BuiltinImporter,
        __spec__=None,
        __builtins__=sys.modules["builtins"],
        **kept,
    )
    return space


def _run_module(name: str) -> None:
    import importlib.util
    import runpy

    _search_first(os.getcwd())
    try:
        found = importlib.util.find_spec(name) is not None
    except ModuleNotFoundError as error:
        if error.name is None or not f"{name}.".startswith(f"{error.name}."):
            raise
        found = False
    except ValueError:  # a module without a spec
        found = True
    if not found:
        _refuse(f"no module named {name!r}", 1)
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _run_text(text, name: str) -> None:
    exec(compile(text, name, "exec"), _fresh_main())  # noqa: S102: that is what was asked for


def _run_script(words: list[str]) -> None:
    """As `python` does with these words. The program's exceptions are its own."""
    if words[0] == "-m":
        sys.argv = words[1:]
        _run_module(words[1])
    elif words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        _search_first("")
        _run_text(words[1], "<string>")
    elif words[0] == "-":
        sys.argv = words
        _search_first("")
        _run_text(sys.stdin.read(), "<stdin>")
    else:
        import runpy

        sys.argv = words
        place = os.path.abspath(words[0])
        _search_first(place if os.path.isdir(place) else os.path.dirname(place))
        runpy.run_path(words[0], run_name="__main__")


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
    _run_script(words)
