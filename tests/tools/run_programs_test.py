"""`artel run`: which program and library it finds, which programs it cannot help, and that the
program's own behaviour shows through."""
import os
import shutil
import signal
import subprocess
import unittest

from run_case import SANITIZED, RunCase, compile_c
from support import TOOL, artel, clean_environment


class Finding(RunCase):
    def test_program_not_found_is_127(self):
        for name in ("no-such-program", "./no-such-program", "/no/such/program", ""):
            done = self.run_artel("--", name)
            self.assertEqual(done.returncode, 127, name)
            self.assertTrue(done.stderr.startswith("artel run: "), done.stderr)

    def test_program_not_executable_is_126(self):
        plain = self.script("plain", "#!/bin/sh\n", 0o644)
        for name in (plain, str(self.root)):
            done = self.run_artel(name)
            self.assertEqual(done.returncode, 126, name)
        done = self.run_artel("plain", PATH=str(self.root))
        self.assertEqual(done.returncode, 126)

    def test_unusable_file_in_path_does_not_hide_a_usable_one(self):
        (self.root / "early").mkdir(exist_ok=True)
        hidden = self.root / "early" / "env"
        hidden.write_text("")
        hidden.chmod(0o644)
        done = self.run_artel("env", PATH=f"{hidden.parent}:{os.environ['PATH']}")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_empty_entries_of_path_are_the_current_folder(self):
        self.script("here", "#!/bin/sh\necho here\n")
        for path in ("", "/no/such/folder:", ":/no/such/folder", "/no/such::/no/such"):
            done = subprocess.run(
                [self.tool, "run", "here"],
                capture_output=True,
                text=True,
                cwd=self.root,
                env=clean_environment(PATH=path),
            )
            self.assertEqual((done.stdout, done.stderr), ("here\n", ""), path)

    def test_script_with_missing_interpreter(self):
        done = self.run_artel(self.script("lost", "#!/no/such/interpreter\n"))
        self.assertEqual(done.returncode, 127)
        self.assertIn("interpreter '/no/such/interpreter'", done.stderr)

    def test_scripts_run(self):
        self.assertEqual(
            self.run_artel(self.script("hello", "#!/usr/bin/env sh\necho hello\n")).stdout,
            "hello\n",
        )
        self.assertEqual(
            self.run_artel(self.script("bare", "echo bare $1\n"), "x").stdout, "bare x\n"
        )
        self.assertEqual(self.run_artel(self.script("none", "#!\necho none\n")).stdout, "none\n")

    def test_scripts_whose_interpreter_only_env_finds(self):
        (self.root / "inner").mkdir(exist_ok=True)
        self.script("inner/shell", '#!/bin/sh\nexec sh "$@"\n')
        for words in (
            "-u FOO sh",
            "-C / sh",
            "FOO=1 sh",
            f"PATH={self.root}/inner:/usr/bin:/bin shell",
        ):
            done = self.run_artel(
                self.script("by-env", f"#!/usr/bin/env -S {words}\necho by env\n")
            )
            self.assertEqual((done.stdout, done.stderr), ("by env\n", ""), words)
        done = self.run_artel(self.script("lost", "#!/usr/bin/env no-such-shell\n"))
        self.assertEqual(done.returncode, 127)
        self.assertIn("env:", done.stderr)


class NotHelped(RunCase):
    """Programs that the library cannot be loaded into."""

    def test_static_program_is_warned_about_and_runs(self):
        program = self.root / "static"
        if not compile_c("int main(void) { return 7; }", program, "-static"):
            self.skipTest("cannot link statically here")
        done = self.run_artel(str(program))
        self.assertEqual(done.returncode, 7)
        self.assertIn("will run without Artel, because it is statically linked", done.stderr)
        done = self.run_artel(self.script("over-static", f"#!{program}\n"))
        self.assertIn(f"of its interpreter {program}: it is statically linked", done.stderr)

    def test_program_of_another_c_library_runs_without_ours(self):
        linker = self.root / "ld-musl-x86_64.so.1"
        linker.symlink_to("/lib64/ld-linux-x86-64.so.2")
        program = self.root / "of_musl"
        source = """#include <stdio.h>
#include <stdlib.h>
int main(void) { puts(getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "nothing"); }
"""
        self.assertTrue(compile_c(source, program, f"-Wl,--dynamic-linker={linker}"))
        for command in (str(program), self.script("of-musl", f"#!{program}\n")):
            done = self.run_artel(command)
            self.assertEqual((done.returncode, done.stdout), (0, "nothing\n"), command)
            self.assertIn(f"its dynamic linker {linker} is not that of glibc", done.stderr)
        done = artel("doctor", str(program), tool=self.tool)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("is not that of glibc, so nothing can be told", done.stderr)

    def test_32_bit_program_is_warned_about(self):
        program = self.root / "bits32"
        shutil.copy("/bin/true", program)
        with open(program, "r+b") as file:
            file.seek(4)
            file.write(b"\x01")
        done = self.run_artel(str(program))
        self.assertIn("because it is a 32-bit program", done.stderr)

    def test_set_uid_program_is_warned_about(self):
        program = self.root / "setuid"
        shutil.copy("/bin/true", program)
        try:
            os.chown(program, 12345, -1)
        except PermissionError:
            self.skipTest("only root can make a program set-uid for somebody else")
        program.chmod(0o4755)
        done = self.run_artel(str(program))
        self.assertEqual(done.returncode, 0)
        self.assertIn("because it is set-uid", done.stderr)


class Library(RunCase):
    def test_missing_library_is_125_and_says_where_it_looked(self):
        other = self.root / "elsewhere"
        (other / "bin").mkdir(parents=True, exist_ok=True)
        (other / "lib").mkdir(exist_ok=True)
        shutil.copy(TOOL, other / "bin" / "artel")
        for library in (self.root / "lib").glob("libartel.so*"):
            shutil.copy(library, other / "lib" / library.name)
        done = artel("run", "true", tool=str(other / "bin" / "artel"))
        self.assertEqual(done.returncode, 125)
        self.assertIn(f"{other}/lib/libgomp-artel.so.1", done.stderr)

    def test_path_that_ld_preload_cannot_express(self):
        other = self.root / "with blank"
        shutil.copytree(self.root / "lib", other / "lib", dirs_exist_ok=True)
        (other / "bin").mkdir(exist_ok=True)
        shutil.copy(TOOL, other / "bin" / "artel")
        done = artel("run", "true", tool=str(other / "bin" / "artel"))
        self.assertEqual(done.returncode, 125)
        self.assertIn("LD_PRELOAD cannot express", done.stderr)


class Helpers(RunCase):
    """What else the tool starts: nothing of the current folder, which may be anybody's."""

    def setUp(self):
        self.current = self.root / "anywhere" / "current"
        for folder in (self.root, self.current.parent):
            (folder / "libexec/artel").mkdir(parents=True, exist_ok=True)
            (folder / "share/artel/bench").mkdir(parents=True, exist_ok=True)
            who = "theirs" if folder == self.root else "anybody's"
            helper = folder / "libexec/artel/artel-lab"
            helper.write_text(f'#!/bin/sh\necho "{who}"\n')
            helper.chmod(0o755)
            (folder / "share/artel/bench/run").write_text(f'print("{who}")\n')
        self.current.mkdir(exist_ok=True)

    def call(self, *command: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            command, capture_output=True, text=True, cwd=self.current, env=clean_environment()
        )

    @unittest.skipIf(SANITIZED, "sanitizers read /proc")
    def test_without_proc(self):
        prefix = ("unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh")
        if self.call(*prefix, "true").returncode != 0:
            self.skipTest("no right to mount")
        done = self.call(*prefix, self.tool, "lab")
        self.assertEqual((done.stdout, done.stderr), ("theirs\n", ""))

    def test_without_libraries(self):
        alone = self.root / "alone" / "bin" / "artel"
        alone.parent.mkdir(parents=True)
        shutil.copy(TOOL, alone)
        done = self.call(str(alone), "bench")
        self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
        self.assertIn("share/artel/bench/run is not installed beside the libraries", done.stderr)


class Behaviour(RunCase):
    def test_exit_codes_and_signals(self):
        self.assertEqual(self.run_artel("sh", "-c", "exit 42").returncode, 42)
        self.assertEqual(self.run_artel("sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)
        self.assertEqual(self.run_artel("--stats", "sh", "-c", "exit 42").returncode, 42)
        self.assertEqual(
            self.run_artel("--stats", "sh", "-c", "kill -TERM $$").returncode, 128 + signal.SIGTERM
        )

    def test_process_is_replaced(self):
        child = subprocess.Popen(
            [self.tool, "run", "sh", "-c", "echo $$"],
            stdout=subprocess.PIPE,
            text=True,
            env=clean_environment(),
        )
        self.assertEqual(int(child.communicate()[0]), child.pid)

    def test_standard_streams_are_the_programs(self):
        done = subprocess.run(
            [self.tool, "run", "cat"],
            input="text",
            capture_output=True,
            text=True,
            env=clean_environment(),
        )
        self.assertEqual((done.stdout, done.stderr), ("text", ""))


if __name__ == "__main__":
    unittest.main()
