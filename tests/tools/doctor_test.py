"""`artel doctor`: what it finds in programs and processes, its errors and exit codes."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from support import TOOL, artel

LIBRARIES = pathlib.Path(TOOL).parent.parent / "lib"
OURS = str(LIBRARIES / "libgomp-artel.so.1")


def compile_c(source: str, target: pathlib.Path, *flags: str) -> None:
    subprocess.run(
        ["cc", *flags, "-x", "c", "-", "-o", target], input=source, text=True, check=True
    )


def doctor(*arguments: str, **variables: str) -> tuple[int, dict]:
    done = artel("doctor", "--json", *arguments, **variables)
    assert done.stderr == "", done.stderr
    return done.returncode, json.loads(done.stdout)


class Doctor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="artel-doctor-")
        cls.root = pathlib.Path(cls.folder.name)
        # A program, a library that it is linked to, and a stock runtime below that.
        for name, soname in (
            ("libgomp.so.1", "libgomp.so.1"),
            ("libtbb.so.12", "libtbb.so.12"),
            ("libopenblas.so.0", "libopenblas.so.0"),
        ):
            compile_c(
                "int %s;" % soname.split(".")[0],
                cls.root / name,
                "-shared",
                "-fPIC",
                f"-Wl,-soname,{soname}",
            )
        path = f"-Wl,--no-as-needed,--enable-new-dtags,-rpath,{cls.root}"
        compile_c(
            "int between;",
            cls.root / "libbetween.so",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libbetween.so",
            path,
            str(cls.root / "libgomp.so.1"),
        )
        cls.program = cls.root / "program"
        compile_c(
            "#include <unistd.h>\nint main(void) { sleep(60); }",
            cls.program,
            path,
            str(cls.root / "libbetween.so"),
            str(cls.root / "libopenblas.so.0"),
        )
        cls.plain = cls.root / "plain"
        compile_c("int main(void) { return 0; }", cls.plain)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @unittest.skipUnless(os.path.exists(OURS), "needs the OpenMP library")
    def test_a_program_as_it_would_start(self):
        status, seen = doctor(str(self.program))
        images = {os.path.basename(it["file"]): it for it in seen["images"]}
        self.assertEqual(images["libgomp-artel.so.1"]["served_by"], "the crew")
        self.assertNotIn("libgomp.so.1", images)  # ours has its soname
        self.assertEqual(
            images["libgomp-artel.so.1"]["asked_for_by"], [str(self.root / "libbetween.so")]
        )
        blas = images["libopenblas.so.0"]
        self.assertIn("threads of its own", blas["served_by"])
        self.assertEqual(blas["asked_for_by"], [str(self.program)])
        self.assertEqual((status, seen["fine"]), (1, False))  # ARTEL_BLAS would serve it

    @unittest.skipUnless(os.path.exists(OURS), "needs the OpenMP library")
    def test_a_program_whose_path_has_an_equals_sign(self):
        folder = self.root / "key=value"
        folder.mkdir()
        program = shutil.copy(self.program, folder / "program")
        status, seen = doctor(str(program))
        images = {os.path.basename(it["file"]): it for it in seen["images"]}
        self.assertEqual(images["libopenblas.so.0"]["asked_for_by"], [str(program)])
        self.assertEqual((status, seen["fine"]), (1, False))

    @unittest.skipUnless(os.path.exists(OURS), "needs the OpenMP library")
    def test_names_that_are_not_utf_8(self):
        program = shutil.copy(self.program, os.fsencode(self.root) + b"/pr\xf6gram")
        status, seen = doctor(os.fsdecode(program))
        images = {os.path.basename(it["file"]): it for it in seen["images"]}
        self.assertEqual(images["libopenblas.so.0"]["asked_for_by"], [f"{self.root}/pr\ufffdgram"])
        self.assertEqual(status, 1)

    @unittest.skipUnless(os.path.exists(OURS), "needs the OpenMP library")
    def test_a_program_without_anything(self):
        status, seen = doctor(str(self.plain))
        self.assertEqual([it["file"] for it in seen["images"]], [OURS])
        self.assertEqual((status, seen["fine"]), (0, True))

    def test_a_process(self):
        with subprocess.Popen([self.program], stdout=subprocess.PIPE) as process:
            try:
                for _ in range(200):  # until it has loaded everything
                    maps = pathlib.Path(f"/proc/{process.pid}/maps").read_text()
                    if "libgomp.so.1" in maps and "libopenblas" in maps:
                        break
                    time.sleep(0.05)
                status, seen = doctor(str(process.pid))
            finally:
                process.kill()
        images = {os.path.basename(it["file"]): it for it in seen["images"]}
        self.assertEqual(images["libgomp.so.1"]["served_by"], "threads of its own")
        self.assertEqual(images["libgomp.so.1"]["asked_for_by"], [str(self.root / "libbetween.so")])
        self.assertEqual(seen["threads"], {"program": 1})
        self.assertEqual(status, 1)

    def test_text(self):
        text = artel("doctor", str(self.program)).stdout
        self.assertRegex(text, r"(?m)^OpenBLAS +/.*libopenblas\.so\.0$")
        self.assertRegex(text, rf"(?m)^ +asked for by +{self.program}$")

    def test_errors(self):
        for arguments, status, words in (
            (["999999999"], 1, "process 999999999: there is none"),
            (["no-such-program"], 127, "no-such-program: not found in PATH"),
            ([str(self.root)], 126, "is a directory"),
            ([], 2, "target"),
            ([str(self.root / "libgomp.so.1")], 1, "not a program"),
        ):
            done = artel("doctor", *arguments)
            self.assertEqual(done.returncode, status, done)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_nothing_is_fine_that_could_not_be_looked_at(self):
        """A tool without its libraries cannot start programs."""
        alone = self.root / "alone/bin/artel"
        alone.parent.mkdir(parents=True)
        shutil.copy(TOOL, alone)
        done = subprocess.run(
            [alone, "doctor", str(self.plain)], capture_output=True, text=True, check=False
        )
        self.assertEqual((done.returncode, done.stdout), (1, ""), done)
        self.assertIn("nothing can be told", done.stderr)

    def test_a_script_is_no_program(self):
        script = self.root / "script"
        script.write_text("#!/bin/sh\n")
        script.chmod(0o755)
        done = artel("doctor", str(script))
        self.assertEqual(done.returncode, 1)
        self.assertIn("name its interpreter", done.stderr)


if __name__ == "__main__":
    unittest.main()
