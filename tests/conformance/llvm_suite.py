"""LLVM's own OpenMP tests, out of Debian's llvm-toolchain-19 source: where they lie, which there
are, and which tools they need."""
import glob
import os
import subprocess

from suite_runner import cannot, fetch_suite

PACKAGE = "llvm-toolchain-19"
LLVM = "/usr/lib/llvm-19"
LIT = os.path.join(LLVM, "build/utils/lit/lit.py")  # of llvm-19-tools, as are FileCheck and not
HEADER = "src/kmp_platform.h"  # of the runtime's own, which three of the tests include
ARCHER = "tools/archer/tests"  # beside runtime/
SYMBOLIZER = "/usr/bin/addr2line"


def suite_folder(cache):
    """Where openmp/runtime/test lies; downloads it at the first call."""
    found = glob.glob(os.path.join(cache, "suite", "*", "openmp", "runtime", "test"))
    if (
        found
        and os.path.exists(os.path.join(os.path.dirname(found[0]), HEADER))
        and os.path.exists(archer_folder(found[0]))
    ):
        return found[0]
    wanted = ["*/openmp/runtime/test", f"*/openmp/runtime/{HEADER}", f"*/openmp/{ARCHER}"]
    fetch_suite(cache, PACKAGE, "165 MB", wanted)
    return suite_folder(cache)


def archer_folder(suite):
    """Where the tests of Archer lie."""
    return os.path.normpath(os.path.join(suite, "../..", ARCHER))


def complete(suite):
    """The header that all tests of the tools interface share wants one of the runtime's own, for
    the names of processors."""
    header = os.path.join(os.path.dirname(suite), "src", "kmp_platform.h")
    if not os.path.exists(header):
        os.makedirs(os.path.dirname(header), exist_ok=True)
        with open(header, "w", encoding="utf-8") as f:
            f.write("#define KMP_ARCH_X86_64 1\n")


def require_tools(archer):
    """Ends the run where the compiler, lit, libomp or what Archer needs is not installed."""
    needed = ["/usr/bin/clang-19", LIT, os.path.join(LLVM, "bin/FileCheck")]
    needed.append(os.path.join(LLVM, "lib/libomp.so.5"))
    if archer:
        runtime = subprocess.run(
            ["clang-19", "-print-file-name=libclang_rt.tsan-x86_64.a"],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.strip()
        needed += [os.path.join(LLVM, "lib/libarcher.so"), runtime, SYMBOLIZER]
    for file in needed:
        if not os.path.exists(file):
            cannot(f"no {file}")


def all_tests(suite, arguments):
    names = []
    for where, _, files in sorted(os.walk(suite)):
        for name in sorted(files):
            if name.endswith((".c", ".cpp")):
                path = os.path.join(where, name)
                with open(path, encoding="utf-8", errors="replace") as f:
                    if "RUN:" in f.read():
                        names.append(os.path.relpath(path, suite))
    return (
        names if arguments.archer else [n for n in names if n.startswith("ompt/") == arguments.ompt]
    )
