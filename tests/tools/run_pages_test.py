"""`artel run`: the page policy of the job, on machines with every setting of their own."""
import json
import os
import pathlib
import subprocess
import unittest

from run_case import RunCase, compile_c
from support import clean_environment

PAGES_OF_MEMORY = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
static long kib(const char *name)
{
    char line[256];
    long sum = 0, value;
    FILE *file = fopen("/proc/self/smaps", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, name, strlen(name)) && sscanf(line + strlen(name), ": %ld", &value) == 1)
            sum += value;
    if (file)
        fclose(file);
    return sum;
}
int main(void)
{
    enum { bytes = 64 << 20 };
    char *const by_malloc = malloc(bytes);
    memset(by_malloc, 1, bytes);
    const long first = kib("AnonHugePages");
    char *const advised =
        mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(advised, bytes, MADV_HUGEPAGE);
    memset(advised, 1, bytes);
    printf("{\"malloc\": %ld, \"advised\": %ld, \"explicit\": %ld}", first,
           kib("AnonHugePages") - first, kib("Private_Hugetlb"));
    return by_malloc[bytes - 1] + advised[bytes - 1] - 2;
}
"""


class Pages(RunCase):
    def pages(self, *options: str, program: tuple = (), **variables: str) -> dict:
        done = self.run_artel(*options, "--", *program, self.tool, "info", "--json", **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["pages"]

    def expect_policies(self, system: str, prefix: tuple = ()) -> None:
        """What each --thp gives on a machine with that setting, also for what the program
        starts."""

        def job(how: str) -> str:
            done = self.policy_of(prefix, "--thp", how)
            if done.returncode == 125:
                self.assertIn("--thp " + how, done.stderr)
                return "refused"
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)["pages"]["transparent_job"]

        found = {how: job(how) for how in ("never", "madvise", "always")}
        expected = {
            "always": {"never": "never", "madvise": "madvise", "always": "always"},
            "madvise": {"never": "never", "madvise": "madvise", "always": "always"},
            "never": {"never": "never", "madvise": "refused", "always": "refused"},
            "": {"never": "never", "madvise": "refused", "always": "refused"},
        }[system]
        # Restricting a job to advised memory is younger than the rest (Linux 6.18).
        if system == "always" and found["madvise"] == "refused":
            expected["madvise"] = "refused"
        self.assertEqual(found, expected, system)
        for inner in ("never", "madvise", "always"):
            for outer in ("never", "madvise", "always"):
                if "refused" not in (found[inner], found[outer]):
                    done = self.policy_of(
                        prefix, "--thp", outer, "--", self.tool, "run", "--thp", inner
                    )
                    alone = self.policy_of(prefix, "--thp", inner)
                    self.assertEqual(
                        (done.returncode, self.without_pool(done)),
                        (0, self.without_pool(alone)),
                        (system, outer, inner, done.stderr),
                    )
        done = self.policy_of(prefix, "--thp", "always", "--huge-pages")
        if system == "madvise":  # malloc cannot ask for the one and take the other
            self.assertEqual(done.returncode, 125, done.stdout)
            self.assertIn("choose one of the two", done.stderr)
        elif system == "always":
            pages = json.loads(done.stdout)["pages"]
            self.assertEqual((pages["transparent_job"], pages["malloc_huge"]), ("always", True))

    @staticmethod
    def without_pool(done: subprocess.CompletedProcess) -> dict:
        """What `artel info --json` has printed, without the state of the machine's pool of huge
        pages: others may take pages from it at any time."""
        said = json.loads(done.stdout)
        for name in ("huge_2mib_total", "huge_2mib_free"):
            del said["pages"][name]
        return said

    def policy_of(self, prefix: tuple, *options: str) -> subprocess.CompletedProcess:
        command = [
            *prefix,
            self.tool,
            "run",
            *options,
            "--",
            "env",
            "A=1",
            self.tool,
            "info",
            "--json",
        ]
        return subprocess.run(
            command, capture_output=True, text=True, env=clean_environment(), timeout=60
        )

    def test_transparent_huge_pages_of_the_job(self):
        system = self.pages()["transparent_system"]
        self.expect_policies(system)
        self.assertEqual(self.pages()["transparent_job"], system or "never")
        self.assertEqual(self.run_artel("--thp", "sometimes", "true").returncode, 125)

    def test_machines_with_other_settings(self):
        """Our own view of the machine's setting is replaced, in a mount namespace; the kernel's
        stays as it is, and its answers are real."""
        target = "/sys/kernel/mm/transparent_hugepage/enabled"
        if not os.path.exists(target):
            self.skipTest("this kernel has no transparent huge pages")
        settings = {
            "always": "[always] madvise never\n",
            "madvise": "always [madvise] never\n",
            "never": "always madvise [never]\n",
            "": "",
        }
        for system, text in settings.items():
            file = self.root / "enabled"
            file.write_text(text)
            prefix = (
                "unshare",
                "-m",
                "sh",
                "-c",
                f'mount --bind "{file}" {target} && exec "$@"',
                "sh",
            )
            if subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
                self.skipTest("no right to mount")
            self.assertEqual(
                json.loads(self.policy_of(prefix).stdout)["pages"]["transparent_system"], system
            )
            self.expect_policies(system, prefix)

    def huge_kib_of_program(self, *options: str) -> dict[str, int]:
        """KiB of huge pages under memory from malloc and under memory that the program advises, in
        a grandchild of artel run."""
        program = self.root / "pages"
        if not program.exists():
            self.assertTrue(compile_c(PAGES_OF_MEMORY, program, "-O1"))
        done = self.run_artel(*options, "--", "sh", "-c", f"{program}; true")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_policy_is_what_the_kernel_does(self):
        system = self.pages()["transparent_system"]
        self.assertEqual(
            self.huge_kib_of_program("--thp", "never"), {"malloc": 0, "advised": 0, "explicit": 0}
        )
        usual = self.huge_kib_of_program()
        self.assertEqual(
            (usual["malloc"] > 0, usual["advised"] > 0),
            (system == "always", system in ("always", "madvise")),
        )
        if system in ("always", "madvise"):
            found = self.huge_kib_of_program("--thp", "always")
            self.assertGreater(found["malloc"], 0)
            self.assertGreater(found["advised"], 0)
        if system == "madvise":
            found = self.huge_kib_of_program("--thp", "madvise")
            self.assertEqual(found["malloc"], 0)
            self.assertGreater(found["advised"], 0)

    def test_huge_pages_are_what_malloc_takes(self):
        pool = pathlib.Path("/sys/kernel/mm/hugepages/hugepages-2048kB")
        total, wanted = pool / "nr_hugepages", 64
        free = lambda: int((pool / "free_hugepages").read_text())
        if not total.exists():
            self.skipTest("this kernel has no huge pages of 2 MiB")
        # Only what is added is taken away again: somebody else may change the number meanwhile.
        added = max(wanted - free(), 0)
        change = lambda by: total.write_text(str(max(int(total.read_text()) + by, 0)))
        if added > 0:
            if not os.access(total, os.W_OK):
                self.skipTest("no huge pages are free, and no right to reserve some")
            change(added)
            self.addCleanup(change, -added)
            if free() < wanted:
                self.skipTest("the kernel found no memory for huge pages")
        self.assertGreater(self.huge_kib_of_program("--huge-pages")["explicit"], 0)
        self.assertEqual(self.huge_kib_of_program()["explicit"], 0)

    def test_explicit_huge_pages_keep_other_tunables(self):
        done = self.run_artel(
            "--huge-pages",
            "sh",
            "-c",
            "echo $GLIBC_TUNABLES",
            GLIBC_TUNABLES="glibc.malloc.hugetlb=1:glibc.malloc.arena_max=3",
        )
        self.assertEqual(done.stdout, "glibc.malloc.arena_max=3:glibc.malloc.hugetlb=2\n")
        self.assertTrue(self.pages("--huge-pages")["malloc_huge"])

    def test_an_inner_job_keeps_what_it_does_not_choose(self):
        if self.pages()["transparent_system"] != "madvise":
            self.skipTest("malloc asks for nothing here")
        tunables = lambda *options, **variables: self.run_artel(
            *options, "sh", "-c", "echo ${GLIBC_TUNABLES-none}", **variables
        ).stdout.strip()
        inner = ("--", self.tool, "run", "--thp")
        self.assertEqual(tunables("--thp", "always"), "glibc.malloc.hugetlb=1")
        self.assertEqual(tunables("--thp", "always", *inner, "never"), "none")
        self.assertEqual(
            tunables(
                "--thp", "always", *inner, "madvise", GLIBC_TUNABLES="glibc.malloc.arena_max=3"
            ),
            "glibc.malloc.arena_max=3",
        )
        self.assertEqual(tunables("--huge-pages", *inner, "madvise"), "glibc.malloc.hugetlb=2")
        self.assertEqual(tunables("--huge-pages", *inner, "never"), "glibc.malloc.hugetlb=2")
        self.assertEqual(tunables("--huge-pages", *inner, "always"), "glibc.malloc.hugetlb=1")


if __name__ == "__main__":
    unittest.main()
