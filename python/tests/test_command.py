"""python -m artel."""

import sys


def test_help_and_no_words(run):
    assert run("-m", "artel", "--help").stdout.startswith("usage: python -m artel SCRIPT")
    assert run("-m", "artel", check=False).returncode == 2


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
    assert "can't open file 'nothing.py'" in run("-m", "artel", "nothing.py", check=False).stderr
    assert "unknown option -Q" in run("-m", "artel", "-Q", check=False).stderr
    assert "-m: argument expected" in run("-m", "artel", "-m", check=False).stderr


def test_children_have_artel_from_the_start(run):
    inner = "print('libgomp-artel' in open('/proc/self/maps').read())"
    done = run(
        "-m",
        "artel",
        "-c",
        f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}], check=True)",
    )
    assert done.stdout == "True\n"


def test_info_is_the_command(run):
    assert run("-m", "artel", "info").stdout.startswith("effective CPUs")


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
