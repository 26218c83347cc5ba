"""What the tests of `artel run` share.

A copy of the tool stands beside a stand-in for the OpenMP library, which only shows that it was
loaded. So these tests are about the tool alone; the real library has tests of its own."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from support import TOOL, artel

SANITIZED = any(
    name in subprocess.run(["ldd", TOOL], capture_output=True, text=True).stdout
    for name in ("libasan", "libtsan")
)
STAND_IN = 'const char *artel_stand_in(void) { return "loaded"; }\n'


def compile_c(source: str, target: pathlib.Path, *flags: str) -> bool:
    done = subprocess.run(
        ["cc", *flags, "-x", "c", "-", "-o", target], input=source, text=True, capture_output=True
    )
    return done.returncode == 0


class RunCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="artel-run-")
        cls.root = pathlib.Path(cls.folder.name)
        (cls.root / "bin").mkdir()
        (cls.root / "lib").mkdir()
        cls.tool = str(cls.root / "bin" / "artel")
        shutil.copy(TOOL, cls.tool)
        for library in (pathlib.Path(TOOL).parent.parent / "lib").glob("libartel.so*"):
            (cls.root / "lib" / library.name).symlink_to(library)
        cls.library = cls.root / "lib" / "libgomp-artel.so.1"
        if not compile_c(STAND_IN, cls.library, "-shared", "-fPIC"):
            raise unittest.SkipTest("no C compiler")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def run_artel(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
        return artel("run", *arguments, tool=self.tool, **variables)

    def environment(self, *arguments: str, **variables: str) -> dict[str, str]:
        """The environment that a program gets."""
        done = self.run_artel(*arguments, "env", "-0", **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return dict(entry.split("=", 1) for entry in done.stdout.split("\0") if entry)

    def script(self, name: str, text: str, mode: int = 0o755) -> str:
        path = self.root / name
        path.write_text(text)
        path.chmod(mode)
        return str(path)
