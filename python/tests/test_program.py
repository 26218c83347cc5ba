"""Programs under `python -m artel` beside the same ones under `python`."""

import os
import pickle
import pty
import py_compile
import signal
import subprocess
import sys
import time
import zipfile

import pytest
from program_bodies import BODIES, LOOK


def same(run, *words, **others):
    plain, ours = (run(*more, *words, check=False, **others) for more in ((), ("-m", "artel")))
    assert (ours.stdout, ours.stderr, ours.returncode) == (
        plain.stdout,
        plain.stderr,
        plain.returncode,
    )
    return plain


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, body):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(body.encode("latin-1" if "latin-1" in body else "utf-8"))


@pytest.mark.parametrize("name", BODIES)
def test_scripts(run, folder, name):
    write(folder / "program.py", BODIES[name])
    same(run, "program.py", "a", "-b")


@pytest.mark.parametrize("name", BODIES)
def test_modules(run, folder, name):
    write(folder / "program.py", BODIES[name])
    same(run, "-m", "program", "a", "-b")


@pytest.mark.parametrize("name", sorted(set(BODIES) - {"declared"}))
def test_commands(run, name):
    same(run, "-c", BODIES[name], "a", "-b")


@pytest.mark.parametrize("name", sorted(set(BODIES) - {"declared"}))
def test_standard_input(run, name):
    same(run, "-", "a", text=BODIES[name])


@pytest.mark.parametrize("name", ["look", "error", "pickle", "exit"])
def test_folders_and_archives(run, folder, name):
    write(folder / "program" / "__main__.py", BODIES[name])
    with zipfile.ZipFile(folder / "program.pyz", "w") as file:
        file.write(folder / "program" / "__main__.py", "__main__.py")
    for word in ("program", "./program/", "program.pyz", str(folder / "program.pyz")):
        same(run, word, "a")
    same(run, "-m", "program", "a")


def test_ways_of_naming_a_script(run, folder):
    write(folder / "program.py", LOOK)
    (folder / "sub").mkdir()
    (folder / "sub" / "link").symlink_to("../program.py")
    write(folder / "no_ending", LOOK)
    for word in ("./program.py", "sub/../program.py", "sub/link", "no_ending"):
        same(run, word, "-m")
    same(run, "/dev/stdin", text="print(__file__)")
    if sys.version_info >= (3, 11):
        same(run, "no_ending", PYTHONSAFEPATH="1")
        write(folder / "sub" / "__main__.py", LOOK)
        same(run, "sub", PYTHONSAFEPATH="1")


def test_scripts_where_the_working_folder_is_gone(run, folder, monkeypatch):
    write(folder / "program.py", "import sys; print(sys.argv, __file__, sys.path[0])")
    (folder / "gone").mkdir()
    monkeypatch.chdir(folder / "gone")
    (folder / "gone").rmdir()
    assert same(run, str(folder / "program.py"), "a").returncode == 0


def test_compiled_scripts(run, folder):
    write(folder / "program.py", LOOK)
    py_compile.compile(str(folder / "program.py"), str(folder / "compiled.pyc"))
    (folder / "other").write_bytes((folder / "compiled.pyc").read_bytes())
    (folder / "bad.pyc").write_bytes(pickle.dumps("no code at all"))
    for word in ("compiled.pyc", "other"):
        assert same(run, word).returncode == 0
    assert "RuntimeError: Bad magic number in .pyc file" in same(run, "bad.pyc").stderr


def test_modules_that_are_not_there(run, folder):
    write(folder / "needy" / "__init__.py", "import no_such_thing\n")
    write(folder / "package" / "__init__.py", "")
    for name in ("no_such", "json.no_such", "needy.part", "package", "sys", "program.py"):
        assert same(run, "-m", name).returncode == 1


def test_extension_modules_that_cannot_be_loaded(run, folder):
    (folder / "broken.so").write_text("no library")
    write(folder / "program.py", "def f():\n    import broken\nf()\n")
    assert "file too short" in same(run, "program.py").stderr


def test_processes_that_are_started(run, folder):
    write(
        folder / "program.py",
        """
import concurrent.futures, multiprocessing
class Thing:
    def __init__(self, x): self.x = x
def square(thing):
    return Thing(thing.x ** 2)
if __name__ == "__main__":
    for how in ("fork", "spawn", "forkserver"):
        context = multiprocessing.get_context(how)
        with concurrent.futures.ProcessPoolExecutor(2, context) as pool:
            print(how, [t.x for t in pool.map(square, map(Thing, (2, 3)))])
""",
    )
    write(folder / "package" / "__main__.py", "from .part import go\ngo()\n")
    write(folder / "package" / "__init__.py", "")
    write(
        folder / "package" / "part.py",
        """
import multiprocessing
def double(x): return 2 * x
def go():
    with multiprocessing.get_context("spawn").Pool(1) as pool: print(pool.map(double, [2]))
""",
    )
    for words in (["program.py"], ["-m", "program"]):
        assert same(run, *words).stdout.count("[4, 9]") == 3
    # Without the guard it would begin again in the process that is started.
    write(
        folder / "package" / "__main__.py",
        "if __name__ == '__main__':\n    from package.part import go\n    go()\n",
    )
    for words in (["package"], ["-m", "package"]):
        same(run, *words, PYTHONPATH=f"{folder}:{os.environ.get('PYTHONPATH', '')}")


def test_what_is_left_for_python_to_ask_about(run, folder):
    write(folder / "program.py", "value = 5\ndef f():\n    raise ValueError(value)\nf()\n")
    for words in (["program.py"], ["-c", "value = 7"], ["-m", "program"]):
        plain, ours = (
            run("-i", *more, *words, check=False, text="print(value, __name__)\n1/0\n")
            for more in ((), ("-m", "artel"))
        )
        assert (ours.stdout, ours.stderr) == (plain.stdout, plain.stderr)


def test_a_terminal_asks_for_lines(folder):
    shown = []
    for more in ([], ["-m", "artel"]):
        outer, inner = pty.openpty()
        with subprocess.Popen(
            [sys.executable, *more, "-"],
            stdin=inner,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHON_BASIC_REPL": "1"},
            text=True,
        ) as program:
            os.write(
                outer, b"import os, sys\nprint(sys.argv, __name__, os.getenv('PYTHONINSPECT'))\n"
            )
            os.write(outer, b"x = 5\nx\nexit()\n")
            shown.append((*program.communicate(timeout=60), program.returncode))
        os.close(inner)
        os.close(outer)
    assert shown[0] == shown[1]
    assert "['-'] __main__ None" in shown[0][0]


def test_programs_under_a_profiler(run, folder):
    """Whose own names are those of __main__ before."""
    write(folder / "program.py", "print(__name__)\n")
    plain, ours = (
        run("-m", "cProfile", *more, "program.py").stdout for more in ((), ("-m", "artel"))
    )
    assert "__main__\n" in plain
    assert "__main__\n" in ours
    assert "function calls" in ours


def test_interrupts(folder):
    write(folder / "program.py", "import time\nprint('there', flush=True)\ntime.sleep(60)\n")
    ends = []
    for more in ([], ["-m", "artel"]):
        with subprocess.Popen(
            [sys.executable, *more, "program.py"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as program:
            program.stdout.readline()
            time.sleep(0.3)  # until it sleeps
            begun = time.monotonic()
            program.send_signal(signal.SIGINT)
            ends.append((program.communicate(timeout=30)[1], program.returncode))
            assert time.monotonic() - begun < 5
    assert ends[0] == ends[1]
    assert ends[0][1] == -signal.SIGINT
