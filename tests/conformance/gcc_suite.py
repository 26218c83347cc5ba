"""libgomp's own tests, out of Debian's gcc-12-source: where they lie, which of them are run tests,
and what their compilation needs beside them."""
import collections
import glob
import os
import shutil
import subprocess

from directives import Test
from suite_runner import cannot

PACKAGE = "gcc-12-source"
HEADER = "include/gomp-constants.h"  # of the compiler's own, which one of the tests includes
FOLDERS = {  # language: (folders, file name endings)
    "c": (("libgomp.c", "libgomp.c-c++-common"), (".c",)),
    "c++": (("libgomp.c++", "libgomp.c-c++-common"), (".C", ".c")),
    "fortran": (("libgomp.fortran",), (".f", ".F", ".f90", ".F90", ".f95", ".f03", ".f08")),
}
COMPILERS = {"c": "gcc-12", "c++": "g++-12", "fortran": "gfortran-12"}

# The tests of the interface include libgomp's private list of it, which wants two headers that
# libgomp's configure would make.
PRIVATE_HEADERS = {
    "config.h": (
        "#define HAVE_ATTRIBUTE_ALIAS 1\n#define HAVE_ATTRIBUTE_VISIBILITY 1\n#define HAVE_TLS 1\n"
    ),
    "gstdint.h": "#include <stdint.h>\n",
}


def suite_folder(cache):
    """Where libgomp/testsuite lies; downloads it at the first call."""
    found = glob.glob(os.path.join(cache, "suite", "gcc-*", "libgomp", "testsuite"))
    if found and os.path.exists(os.path.join(found[0], "../..", HEADER)):
        return found[0]
    print(f"downloading {PACKAGE} (80 MB, once)", flush=True)
    target = os.path.join(cache, "suite.part")
    shutil.rmtree(target, ignore_errors=True)
    os.makedirs(target)
    try:
        subprocess.run(
            ["apt-get", "download", PACKAGE], cwd=target, check=True, stdout=subprocess.DEVNULL
        )
        package = glob.glob(os.path.join(target, "*.deb"))[0]
        subprocess.run(["dpkg", "-x", package, target], check=True)
        archive = glob.glob(os.path.join(target, "usr/src/gcc-12/gcc-*.tar.xz"))[0]
        wanted = ["gcc-*/libgomp/testsuite", "gcc-*/libgomp/*.h", f"gcc-*/{HEADER}"]
        subprocess.run(["tar", "-C", target, "-xf", archive, "--wildcards", *wanted], check=True)
    except (subprocess.CalledProcessError, IndexError, OSError) as e:
        cannot(f"cannot get the suite: {e}")
    os.remove(package)
    shutil.rmtree(os.path.join(target, "usr"))
    # What an older copy of the suite lacked may have been the reason why a test did not compile.
    shutil.rmtree(os.path.join(cache, "suite"), ignore_errors=True)
    for failed in glob.glob(os.path.join(cache, "programs", "*.failed")):
        os.remove(failed)
    os.rename(target, os.path.join(cache, "suite"))
    return suite_folder(cache)


def write_private_headers(folder):
    """Makes the headers that libgomp's configure would make."""
    os.makedirs(folder, exist_ok=True)
    for name, text in PRIVATE_HEADERS.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
            f.write(text)


def include_options(suite, headers):
    """Compiler options for what the tests include beside their own folder."""
    return [
        f"-I{headers}",
        f"-I{os.path.dirname(suite)}",
        f"-I{os.path.join(suite, '../../include')}",
    ]


def all_tests(suite, languages):
    """The run tests, and how many files were left out for which reason."""
    tests, left_out = [], collections.Counter()
    for language in languages:
        folders, endings = FOLDERS[language]
        for folder in folders:
            for where, _, names in sorted(os.walk(os.path.join(suite, folder))):
                for name in sorted(names):
                    if not name.endswith(endings) or (
                        folder == "libgomp.c++" and name.endswith(".c")
                    ):
                        continue
                    path = os.path.join(where, name)
                    test = Test(path, language)
                    if test.why_not:
                        left_out[test.why_not] += 1
                    else:
                        test.name = f"{language}:{os.path.relpath(path, suite)}"
                        tests.append(test)
    # Files that others name as additional sources are no tests by themselves.
    helpers = {os.path.realpath(s) for t in tests for s in t.sources}
    left_out["part of another test"] = sum(os.path.realpath(t.path) in helpers for t in tests)
    return [t for t in tests if os.path.realpath(t.path) not in helpers], left_out
