"""oneTBB's own tests, out of Debian's onetbb source: where they lie, which there are, and how
each is compiled."""
import glob
import os
import shutil
import subprocess

from suite_runner import fetch_suite

PACKAGE = "onetbb"
# Of Windows; and a second unit of another one's program.
LEFT_OUT = {"test_implicit_linkage_on_windows", "test_tbb_header_secondary"}
WITH = {"test_tbb_header": ["test_tbb_header_secondary.cpp"]}  # program: its other units
EXTRA = {"test_openmp": ["-fopenmp"]}
FLAGS = ["-std=c++17", "-O0", "-w", "-mrtm", "-mwaitpkg", "-DTBB_USE_DEBUG=0"]


def suite_folder(cache):
    """The root of oneTBB's sources; downloads them at the first call."""
    found = glob.glob(os.path.join(cache, "suite", "*", "test", "conformance"))
    if found:
        return os.path.dirname(os.path.dirname(found[0]))
    fetch_suite(cache, PACKAGE, "3 MB", ["*/test", "*/src", "*/include"])
    return suite_folder(cache)


def all_tests(suite):
    """{name: its source}."""
    sources = glob.glob(os.path.join(suite, "test", "tbb", "*.cpp")) + glob.glob(
        os.path.join(suite, "test", "conformance", "*.cpp")
    )
    return {
        name: path
        for path in sorted(sources)
        if (name := os.path.splitext(os.path.basename(path))[0]) not in LEFT_OUT
    }


def compile_test(compiler, suite, programs, name, source):
    """The program, and an empty text; or no program, and what the compiler said."""
    program = os.path.join(programs, name)
    if os.path.exists(program):
        return program, ""
    launcher = ["ccache"] if shutil.which("ccache") else []
    flags = FLAGS + (["-flifetime-dse=1"] if "clang" not in compiler else []) + EXTRA.get(name, [])
    objects = []
    for unit in [
        source,
        *(os.path.join(os.path.dirname(source), other) for other in WITH.get(name, [])),
    ]:
        objects.append(f"{program}.{len(objects)}.o")
        done = subprocess.run(
            [
                *launcher,
                compiler,
                *flags,
                "-I",
                suite,
                "-I",
                os.path.join(suite, "test"),
                "-c",
                unit,
                "-o",
                objects[-1],
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            return "", done.stderr
    done = subprocess.run(
        [
            compiler,
            *objects,
            *EXTRA.get(name, []),
            "-o",
            program + ".part",
            "-ltbb",
            "-lpthread",
            "-ldl",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    for file in objects:
        os.remove(file)
    if done.returncode != 0:
        return "", done.stderr
    os.rename(program + ".part", program)
    return program, ""
