"""LLVM's lit over its OpenMP tests: writes the configuration for a runtime, runs lit and reads its
report."""
import json
import os
import shlex
import subprocess
import sys

from llvm_suite import LIT, LLVM, SYMBOLIZER, archer_folder, complete, suite_folder
from suite_runner import cannot, environment_without

HERE = os.path.dirname(os.path.abspath(__file__))
PASSES = ("PASS", "XFAIL", "FLAKYPASS")
LEFT_OUT = ("UNSUPPORTED", "SKIPPED", "EXCLUDED")


class Runner:
    def __init__(self, arguments):
        self.arguments = arguments
        self.suite = suite_folder(arguments.cache)
        complete(self.suite)
        if arguments.archer:
            self.suite = archer_folder(self.suite)
        self.programs = os.path.join(arguments.cache, "llvm-programs")
        os.makedirs(self.programs, exist_ok=True)

    def configuration(self, runtime):
        """Writes what lit needs to run the suite in a folder of its own; returns the folder."""
        kind = "-ompt" if self.arguments.ompt else "-archer" if self.arguments.archer else ""
        folder = os.path.join(self.arguments.cache, f"llvm-{runtime}{kind}")
        os.makedirs(folder, exist_ok=True)
        once = shlex.join([sys.executable, os.path.join(HERE, "compile_once.py"), self.programs])
        library = os.path.join(LLVM, "lib")
        values = {
            "test_c_compiler": f"{once} clang-19",
            "test_cxx_compiler": f"{once} clang++-19",
            "test_compiler_features": ["clang", "clang-19"],
            "test_compiler_has_omp_h": True,
            "test_filecheck": os.path.join(LLVM, "bin/FileCheck"),
            "test_not": os.path.join(LLVM, "bin/not"),
            "test_openmp_flags": "-fopenmp",
            "test_extra_flags": "-w",
            "libomp_obj_root": folder,
            "library_dir": library,
            "omp_header_directory": os.path.join(LLVM, "lib/clang/19/include"),
            "operating_system": "Linux",
            "hwloc_library_dir": "",
            "using_hwloc": False,
            "has_ompt": self.arguments.ompt,
            "has_ompx_taskgraph": False,
            "has_libm": True,
            "has_libatomic": False,
            "is_standalone_build": True,
            "has_omit_frame_pointer_flag": True,
            "target_arch": "x86_64",
        }
        if self.arguments.archer:
            values |= {
                "libarcher_obj_root": folder,
                "omp_library_dir": library,
                "omp_header_dir": values["omp_header_directory"],
                "has_tsan": True,
                "test_archer_flags": "",
            }
        text = "".join(f"config.{name} = {value!r}\n" for name, value in values.items())
        text += f"lit_config.load_config(config, {os.path.join(self.suite, 'lit.cfg')!r})\n"
        wanted = [v.split("=", 1) for v in self.arguments.env]
        if self.arguments.threads:
            wanted.append(("OMP_NUM_THREADS", str(self.arguments.threads)))
        for name, value in wanted:
            text += f"config.environment[{name!r}] = {value!r}\n"
        if self.arguments.archer:
            text += self.archer_substitutions(runtime)
        # lit's own time limit needs a Python package that Debian's lit does not bring. Some tests
        # preload a tool of their own.
        preload = (
            f'sh -c \'LD_PRELOAD={self.arguments.library}:$LD_PRELOAD exec "$0" "$@"\''
            if runtime == "ours"
            else ""
        )
        command = f"timeout -k 5 {self.arguments.timeout} {preload} %t"
        if not self.arguments.archer:
            text += (
                f"config.substitutions = [(k, {command!r} if k == '%libomp-run' else v) for k, v in"
                " config.substitutions]\n"
            )
        with open(os.path.join(folder, "lit.site.cfg"), "w", encoding="utf-8") as f:
            f.write(text)
        return folder

    def archer_substitutions(self, runtime):
        """How the tests of Archer run a program: by ours, and with names and lines in
        ThreadSanitizer's reports."""
        preload = f"env LD_PRELOAD={self.arguments.library} " if runtime == "ours" else ""
        command = f"timeout -k 5 {self.arguments.timeout} {preload}%t 2>"
        options = f"TSAN_OPTIONS='external_symbolizer_path={SYMBOLIZER}:"
        return (
            "config.substitutions = [(k, v.replace('%t 2>',"
            f' {command!r}).replace("TSAN_OPTIONS=\'", {options!r}) if'
            " k.startswith('%libarcher-run') or\n    k.endswith('suppression') else v) for k, v in"
            " config.substitutions]\n"
        )

    def run(self, runtime, chosen):
        """{name: lit's result} of the chosen tests (all when empty)."""
        folder = self.configuration(runtime)
        report = os.path.join(folder, "results.json")
        if os.path.exists(report):
            os.remove(report)
        clean = environment_without("OMP_", "GOMP_", "KMP_", "LD_", "ARTEL_", "LIT_")
        where = [os.path.join(folder, name) for name in chosen] or [folder]
        subprocess.run(
            [sys.executable, LIT, "-q", "-j", str(self.arguments.jobs), "-o", report, *where],
            env=clean,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        try:
            with open(report, encoding="utf-8") as f:
                tests = json.load(f)["tests"]
        except (OSError, ValueError, KeyError) as e:
            cannot(f"lit gives no results: {e}")
        return {t["name"].split(" :: ", 1)[1]: t for t in tests}
