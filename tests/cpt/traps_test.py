#!/usr/bin/env python3
"""Programs about C's corners, translated, compiled by each compiler that is there, without and with
optimisation, and run several times, some of them on each runtime: they abort when something is
wrong. And what cpt refuses, with the place it names."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CPT = ""
RUNTIMES = []  # but artel, the default
TRAPS = pathlib.Path(__file__).parent / "traps"
# They do not depend on how runtimes share streams.
ON_EACH_RUNTIME = (
    "declared_together",
    "dependences",
    "detached",
    "loop_nests",
    "masked",
    "targets",
    "taskloop_linear",
    "variants",
    "versions",
)


class Traps(unittest.TestCase):
    def compile_and_run(self, source):
        for compiler in ("gcc", "clang-19"):
            if shutil.which(compiler) is None:
                continue
            for level in ("-O0", "-O2"):
                with self.subTest(
                    compiler=compiler, level=level
                ), tempfile.TemporaryDirectory() as folder:
                    program = os.path.join(folder, "program")
                    standard = (
                        ["-std=gnu11", "-Wno-deprecated-non-prototype"]
                        if compiler == "clang-19"
                        else []
                    )
                    done = subprocess.run(
                        [
                            CPT,
                            "c",
                            f"--cc={compiler}",
                            "-Wall",
                            "-Werror",
                            "-Wno-unknown-pragmas",
                            *standard,
                            level,
                            "-g",
                            str(source),
                            "-o",
                            program,
                            "-lm",
                        ],
                        capture_output=True,
                        text=True,
                    )
                    self.assertEqual(done.returncode, 0, done.stderr)
                    for _ in range(5):
                        self.run_on([program])
                    for runtime in RUNTIMES if source.stem in ON_EACH_RUNTIME else ():
                        for streams in ("1", "4"):
                            with self.subTest(runtime=runtime, streams=streams):
                                self.run_on(
                                    [
                                        CPT,
                                        "run",
                                        "--runtime",
                                        runtime,
                                        "--streams",
                                        streams,
                                        program,
                                    ]
                                )

    def run_on(self, command):
        environment = {**os.environ, "OMP_CANCELLATION": "true"}
        ran = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_refusals(self):
        for line in (TRAPS / "refused.txt").read_text().splitlines():
            if line.startswith("#") and "\t" not in line:
                continue
            body, words = line.split("\t")
            with self.subTest(words=words), tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder) / "refused.c"
                source.write_text(
                    "int main(void)\n{\n" + body.replace("\\n", "\n") + "\nreturn 0;\n}\n"
                )
                done = subprocess.run(
                    [CPT, "c", str(source), "-o", str(source.with_suffix(""))],
                    capture_output=True,
                    text=True,
                )
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertRegex(done.stderr, r"refused\.c:\d+:\d+: error: .*" + words)
                self.assertFalse(source.with_suffix("").exists())


for file in sorted(TRAPS.glob("*.c")):
    setattr(Traps, "test_" + file.stem, lambda self, file=file: self.compile_and_run(file))

if __name__ == "__main__":
    CPT = sys.argv.pop(1)
    RUNTIMES = re.search(
        r"installed: ([a-z, ]+)",
        subprocess.run([CPT, "run", "--info"], capture_output=True, text=True).stdout,
    )[1].split(", ")[1:]
    unittest.main()
