"""The documents agree with the tool: the generated parts are current, the manual pages are clean
and name every option."""
import re
import shutil
import subprocess
import unittest

from support import ROOT, TOOL, artel

PAGES = ROOT / "docs" / "man"


class Documents(unittest.TestCase):
    def test_generated_parts_are_current(self):
        done = subprocess.run(
            [ROOT / "tools" / "update_docs", "--check", TOOL], capture_output=True, text=True
        )
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_manual_pages_have_no_warnings(self):
        if shutil.which("man") is None or shutil.which("groff") is None:
            self.skipTest("man or groff is not installed")
        for page in sorted(PAGES.glob("*.[17]")):
            done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page.name)
            self.assertIn("NAME", done.stdout)

    def test_manual_pages_name_every_option(self):
        for command in ("run", "info", "doctor", "plan", "bench", "tune", "lab"):
            page = (PAGES / f"artel-{command}.1").read_text().replace("\\-", "-")
            for option in set(re.findall(r"--[a-z]+(?:-[a-z]+)*", artel(command, "--help").stdout)):
                self.assertIn(option, page, f"artel-{command}.1")

    def test_every_command_has_a_page_and_is_in_the_overview(self):
        commands = re.search(r"Subcommands:\n((?:  .*\n)+)", artel("--help").stdout).group(1)
        overview = (PAGES / "artel.1").read_text()
        for command in re.findall(r"^  (\w+)", commands, re.MULTILINE):
            self.assertTrue((PAGES / f"artel-{command}.1").exists(), command)
            self.assertIn(f"artel\\-{command} (1)", overview)


if __name__ == "__main__":
    unittest.main()
