"""python -m artel."""

import os
import sys
import zipfile


def test_help_and_no_words(run):
    assert run("-m", "artel", "--help").stdout.startswith("usage: python -m artel SCRIPT")
    done = run("-m", "artel", check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: python -m artel SCRIPT")


def test_commands_run_with_their_words(run):
    done = run(
        "-m",
        "artel",
        "-c",
        "import sys; print(sys.argv, __name__); sys.exit(7)",
        "a",
        "-b",
        check=False,
    )
    assert (done.stdout, done.returncode) == ("['-c', 'a', '-b'] __main__\n", 7)


def test_scripts_run_as_main_beside_their_modules(run, tmp_path):
    (tmp_path / "beside.py").write_text("value = 5\n", encoding="utf-8")
    script = tmp_path / "script.py"
    script.write_text(
        (
            "import beside, sys\nif __name__ == '__main__':\n    print(beside.value, sys.argv[1:],"
            " __file__)\n"
        ),
        encoding="utf-8",
    )
    assert run("-m", "artel", str(script), "x").stdout == f"5 ['x'] {script}\n"


def test_modules_run(run):
    assert run("-m", "artel", "-m", "platform").stdout.startswith("Linux")


def test_exceptions_are_the_programs_own(run):
    done = run("-m", "artel", "-c", "raise KeyError('mine')", check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("KeyError: 'mine'\n")


def test_bad_words_are_named(run, tmp_path):
    for words, code, told in [
        (["nothing.py"], 2, "can't open file 'nothing.py'"),
        (["-Q"], 2, "unknown option -Q"),
        (["-m"], 2, "-m: argument expected"),
        (["-c"], 2, "-c: argument expected"),
        ([str(tmp_path)], 1, "can't find a __main__.py in"),
        (["-m", "no_such_module"], 1, "No module named no_such_module"),
        (["-m", "json.no_such"], 1, "No module named json.no_such"),
    ]:
        done = run("-m", "artel", *words, check=False)
        assert (done.returncode, done.stdout) == (code, "")
        assert told in done.stderr
        assert "Traceback" not in done.stderr


def test_errors_of_artel_in_the_program_are_the_programs_own(run):
    done = run("-m", "artel", "-c", "import artel; raise artel.ArtelError('mine')", check=False)
    assert done.stderr.startswith("Traceback")
    assert done.stderr.endswith("ArtelError: mine\n")


def test_folders_archives_and_standard_input_run(run, tmp_path):
    (tmp_path / "beside.py").write_text("value = 5\n", encoding="utf-8")
    (tmp_path / "__main__.py").write_text(
        "import beside, sys\nprint(beside.value, __name__, sys.argv[1:])\n", encoding="utf-8"
    )
    assert run("-m", "artel", str(tmp_path), "x").stdout == "5 __main__ ['x']\n"
    archive = tmp_path / "program.pyz"
    with zipfile.ZipFile(archive, "w") as file:
        for name in ("beside.py", "__main__.py"):
            file.write(tmp_path / name, name)
    (tmp_path / "beside.py").unlink()
    assert run("-m", "artel", str(archive), "x").stdout == "5 __main__ ['x']\n"
    assert run("-m", "artel", "-", "x").stdout == ""


def test_commands_find_the_names_that_python_gives_them(run):
    look = "print(sorted(n for n in globals()), __name__, __spec__, __package__)"
    plain, ours = run("-c", look).stdout, run("-m", "artel", "-c", look).stdout
    assert ours == plain


def test_the_path_is_left_alone_when_python_was_told_so(run):
    if sys.version_info >= (3, 11):
        look = "import sys; print(sys.path)"
        kept = {"PYTHONPATH": os.environ.get("PYTHONPATH", "")}
        plain = run("-P", "-c", look, **kept).stdout
        assert run("-P", "-m", "artel", "-c", look, **kept).stdout == plain


def test_processes_by_spawn_and_forkserver(run, tmp_path):
    """Their workers have Artel from the start, and find the functions of the script."""
    script = tmp_path / "script.py"
    script.write_text(
        """
import artel, multiprocessing, sys
def square(x):
    return x * x, "libgomp-artel" in open("/proc/self/maps").read(), artel.map(abs, [-x])
if __name__ == "__main__":
    for how in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(how).Pool(2) as pool:
            print(how, pool.map(square, [2, 3], chunksize=1))
""",
        encoding="utf-8",
    )
    right = [(4, True, [2]), (9, True, [3])]
    done = run("-m", "artel", str(script))
    assert done.stdout.splitlines() == [f"{how} {right}" for how in ("fork", "spawn", "forkserver")]


def test_children_have_artel_from_the_start(run):
    inner = "print('libgomp-artel' in open('/proc/self/maps').read())"
    done = run(
        "-m",
        "artel",
        "-c",
        f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}], check=True)",
    )
    assert done.stdout == "True\n"


def test_commands_are_those_of_artel(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bench").mkdir()  # no program of Python's
    assert run("-m", "artel", "info").stdout.startswith("effective CPUs")
    told = run("-m", "artel", "no_such_thing", check=False)
    assert (told.returncode, told.stdout) == (2, "")
    assert "no command 'no_such_thing'" in told.stderr
    for name in ("run", "bench", "tune", "plan"):
        assert f"Usage: artel {name} " in run("-m", "artel", name, "--help").stdout


def test_version(run):
    done = run("-c", "import artel; print('artel', artel.__version__)")
    assert run("-m", "artel", "--version").stdout == done.stdout


def test_runtimes_that_came_before_are_named(run):
    done = run(
        "-W",
        "always",
        "-c",
        """
import ctypes, ctypes.util
name = ctypes.util.find_library("gomp")
if name:
    ctypes.CDLL(name)
import artel
found = artel.patch()
print(len(found.late) == bool(name))
""",
    )
    assert done.stdout == "True\n"
    assert sys.version_info >= (3, 9)


def test_libraries_of_ours_that_were_used_before_are_no_start_under_artel(run):
    done = run("-c", "import artel; artel.stats(); print(artel.patch().preloaded)")
    assert done.stdout == "False\n"
    inner = "import artel; print(artel.patch().preloaded)"
    done = run(
        "-m",
        "artel",
        "-c",
        f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}], check=True)",
    )
    assert done.stdout == "True\n"


def test_a_folder_that_cannot_be_preloaded_is_named(run, tmp_path):
    odd = tmp_path / "a folder"
    odd.mkdir()
    look = """
import artel, os, warnings
from artel import _native
folder = [f for f in _native._folders() if os.path.exists(os.path.join(f, _native.OPENMP))][0]
os.rmdir(ODD); os.symlink(folder, ODD)
core = os.path.dirname(_native.path_of(_native.CORE))
_native._folders.cache_clear(); _native.path_of.cache_clear()
os.environ["ARTEL_PYTHON_LIBRARIES"] = ODD
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    artel.patch()
print("LD_PRELOAD" in os.environ, [str(w.message).split(":")[0] for w in told], told[0].filename)
"""
    done = run("-c", f"ODD = {str(odd)!r}" + look)
    said = "processes that are started from here will not have Artel"
    assert done.stdout == f"False ['{said}'] <string>\n"


def test_platforms_that_it_does_not_run_on_are_named(run):
    look = """
import artel, os, sys
CHANGE
try:
    artel.num_threads()
except artel.ArtelError as error:
    print(error)
"""
    for change, told in [
        ("sys.platform = 'darwin'", "Artel runs on Linux on x86-64, not on darwin on x86_64"),
        (
            "def confstr(name): raise ValueError\nos.confstr = confstr",
            "glibc; this Python is built",
        ),
    ]:
        assert told in run("-c", look.replace("CHANGE", change)).stdout


def test_imports_that_others_have_wrapped(run, tmp_path, monkeypatch):
    """With an object that is no function."""
    program = """
import functools, importlib.machinery
loader = importlib.machinery.ExtensionFileLoader
create = loader.create_module
class Wrapper:
    def __call__(self, *words):
        print("wrapped")
        return create(*words)
    def __get__(self, one, _):
        return functools.partial(self, one) if one else self
loader.create_module = Wrapper()
import artel
artel.patch(children=False)
import module
"""
    (tmp_path / "module.so").write_text("no library")
    monkeypatch.chdir(tmp_path)
    done = run("-c", program, check=False)
    assert "wrapped\n" in done.stdout
    assert "file too short" in done.stderr
