"""Runs a program as `python` itself does: in the module __main__ of this process, with the names,
the path and the tracebacks that it has there, so that what is defined in it can be pickled, and
found by processes that are started."""

from __future__ import annotations

import functools
import os
import sys

TYPE_CHECKING = False  # as typing has it, whose import would take half of the start
if TYPE_CHECKING:
    import typing


def _search_first(folder: str, *, always: bool = False) -> None:
    """In the place of the folder that python put there for `-m artel`. Where python was told to put
    none (-P, -I), only what is to be run itself goes there, as `always` says."""
    if not (getattr(sys.flags, "safe_path", False) or sys.flags.isolated):
        sys.path[0] = folder
    elif always:
        sys.path.insert(0, folder)


def _fresh_main() -> dict:
    """The names of the module __main__ as python begins a program with them."""
    import types
    from importlib.machinery import BuiltinImporter

    main = sys.modules["__main__"]
    if getattr(main.__spec__, "name", None) != f"{__package__}.__main__":  # a profiler's
        main = sys.modules["__main__"] = types.ModuleType("__main__")
    space = main.__dict__
    # Depends on the version of Python.
    kept: dict = {"__annotations__": {}} if "__annotations__" in space else {}
    space.clear()
    space.update(
        __name__="__main__",
        __doc__=None,
        __package__=None,
        __loader__=BuiltinImporter,
        __spec__=None,
        **kept,
        __builtins__=sys.modules["builtins"],
    )
    return space


def _without_our_frames(trace: typing.Any) -> typing.Any:
    """What is behind the last of our frames, which are in a row."""
    begun = False
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == _without_our_frames.__code__.co_filename:
            begun = True
        elif begun:
            break
        trace = trace.tb_next
    return trace


def _run(call: typing.Callable[[], object]) -> None:
    """Python shows what the program throws, and ends with the status that it takes for that."""
    try:
        call()
    except SystemExit:
        raise
    except BaseException:
        show = getattr(sys, "excepthook", sys.__excepthook__)

        def hook(kind: typing.Any, error: typing.Any, trace: typing.Any) -> None:
            """Once."""
            sys.excepthook = show
            trace = _without_our_frames(trace)
            if error is not None:
                error.__traceback__ = trace
            sys.last_traceback = trace
            show(kind, error, trace)

        sys.excepthook = hook
        raise


def _run_main_module(name: str, *, alter_argv: bool) -> None:
    """As the interpreter itself does it."""
    import runpy

    _fresh_main()
    _run(functools.partial(runpy._run_module_as_main, name, alter_argv))  # noqa: SLF001


def module(name: str, arguments: list[str]) -> None:
    """python -m NAME"""
    sys.argv = ["-m", *arguments]
    _search_first(os.getcwd())
    _run_main_module(name, alter_argv=True)


def _show_lines(code: typing.Any, text: str) -> None:
    """From 3.13 on tracebacks show lines of a command."""
    import linecache

    register = getattr(linecache, "_register_code", None)
    if register is not None:
        # Before 3.13.1 these are found by the name.
        register(code if hasattr(linecache, "_code_key") else "<string>", text, "<string>")


def command(text: str, arguments: list[str]) -> None:
    """python -c TEXT"""
    sys.argv = ["-c", *arguments]
    _search_first("")
    space = _fresh_main()

    def run() -> None:
        code = compile(text, "<string>", "exec", dont_inherit=True)
        _show_lines(code, text)
        exec(code, space)  # noqa: S102: that is what was asked for

    _run(run)


def standard_input(words: list[str]) -> None:
    """python -"""
    sys.argv = words
    _search_first("")
    space = _fresh_main()
    if sys.stdin is not None and sys.stdin.isatty():
        _leave_to_interpreter()
        return
    space.update(__file__="<stdin>", __cached__=None)
    text = sys.stdin.buffer.read() if sys.stdin is not None else b""

    def run() -> None:
        exec(compile(text, "<stdin>", "exec", dont_inherit=True), space)  # noqa: S102

    _run(run)


def _leave_to_interpreter() -> None:
    """Python looks for this variable when a program has ended, and then asks for lines."""
    print(
        f"Python {sys.version} on {sys.platform}\n"
        'Type "help", "copyright", "credits" or "license" for more information.',
        file=sys.stderr,
    )
    before = getattr(sys, "__interactivehook__", None)

    def begin() -> None:
        os.environ.pop("PYTHONINSPECT", None)
        if before is not None:
            sys.__interactivehook__ = before
            before()

    if "PYTHONINSPECT" not in os.environ:
        sys.__interactivehook__ = begin
    os.environ["PYTHONINSPECT"] = "1"


def _load_compiled(file: typing.Any) -> typing.Any:
    import importlib.util
    import marshal

    if file.read(16)[:4] != importlib.util.MAGIC_NUMBER:
        raise RuntimeError("Bad magic number in .pyc file")
    return marshal.load(file)  # noqa: S302


def _run_file(file: typing.Any, path: str) -> None:
    from importlib import machinery, util

    compiled = path.endswith(".pyc") or file.peek(2)[:2] == util.MAGIC_NUMBER[:2]
    kind = machinery.SourcelessFileLoader if compiled else machinery.SourceFileLoader
    space = _fresh_main()
    space.update(__file__=path, __cached__=None, __loader__=kind("__main__", path))

    def run() -> None:
        with file:
            code = (
                _load_compiled(file)
                if compiled
                else compile(file.read(), path, "exec", dont_inherit=True)
            )
        exec(code, space)  # noqa: S102

    _run(run)


def script(words: list[str]) -> None:
    """python FILE, or a folder or an archive with a __main__.py. OSError: it cannot be read."""
    from pkgutil import get_importer

    path = words[0]
    if not os.path.isabs(path):  # the folder may be gone
        path = os.path.join(os.getcwd(), path)
    if get_importer(path) is not None:
        sys.argv = words
        _search_first(path, always=True)
        _run_main_module("__main__", alter_argv=False)
        return
    file = open(path, "rb")  # noqa: SIM115: closed before the program begins
    sys.argv = words
    _search_first(os.path.dirname(os.path.realpath(path)))
    _run_file(file, path)
