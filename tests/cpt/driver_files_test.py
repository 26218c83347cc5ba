#!/usr/bin/env python3
"""The driver in place of a compiler: options, objects, libraries, dependency files and other files
that gcc writes."""
import re
import shutil
import subprocess
import unittest

from driver_case import CPT, SUM, DriverCase


class Files(DriverCase):
    def test_files_to_program(self):
        self.cpt("c", "-O2", "-Wall", "-Werror", "sum.c", "part.c", "-o", "out")
        self.runs()

    def test_objects_then_link(self):
        self.cpt("c", "-c", "sum.c")
        self.cpt("c", "-c", "part.c", "-o", "other name.o")
        self.cpt("c", "sum.o", "other name.o", "-o", "out")
        self.runs()

    def test_shared_library(self):
        self.cpt("c", "-shared", "-fPIC", "part.c", "-o", "libpart.so")
        self.cpt("c", "sum.c", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN", "-o", "out")
        self.runs()

    def test_static(self):
        self.assertIn(
            "-static is not supported", self.cpt("c", "-static", "sum.c", "part.c", status=2).stderr
        )
        self.cpt("c", "-static", "-c", "part.c")
        self.cpt("c", "-static-libgcc", "sum.c", "part.c", "-o", "out")
        self.runs()

    def test_link_time_optimisation(self):
        self.cpt("c", "-O2", "-flto", "sum.c", "part.c", "-o", "out")
        self.runs()

    def test_debuggers_know_the_file(self):
        self.cpt("c", "-g", "-c", "sum.c")
        done = subprocess.run(
            ["readelf", "--debug-dump=info", self.at / "sum.o"],
            capture_output=True,
            text=True,
            check=True,
        )
        self.assertRegex(done.stdout.split("DW_AT_name", 2)[1], r": sum\.c\s")

    def test_lines_of_what_cpt_writes(self):
        """Code that stands for a directive belongs to the directive's line, and to no other."""
        self.cpt("c", "-g", "-O0", "-c", "sum.c")
        done = subprocess.run(
            ["objdump", "-dl", self.at / "sum.o"], capture_output=True, text=True, check=True
        )
        lines = {int(n) for n in re.findall(r"sum\.c:(\d+)", done.stdout)}
        self.assertEqual(lines, {4, 5, 6, 7, 8, 9, 10} & lines)
        self.assertTrue({4, 6, 7, 8, 9} <= lines, lines)

    def test_warning_of_the_source(self):
        (self.at / "warned.c").write_text(
            "void f(void)\n{\n"
            '#pragma omp error at(compilation) severity(warning) message("careful")\n}\n'
        )
        self.assertIn("warned.c:3: warning: careful\n", self.cpt("c", "-c", "warned.c").stderr)

    def test_errors_of_the_program(self):
        (self.at / "said.c").write_text(
            "int main(void)\n{\n"
            '#pragma omp error at(execution) severity(warning) message("careful")\n'
            '#pragma omp error at(execution) message("no")\nreturn 0; }\n'
        )
        self.cpt("c", "said.c", "-o", "out")
        done = subprocess.run([self.at / "out"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stderr, "said.c:3: warning: careful\nsaid.c:4: error: no\n")
        self.assertEqual(done.returncode, 1)

    def test_what_clang_does_not_read(self):
        (self.at / "gnu.c").write_text(
            "int main(int n, char** all)\n{ int inner(void) { return n; }\n"
            "#pragma omp parallel\n(void)inner();\nreturn 0; }\n"
        )
        self.assertIn(
            "functions inside of functions", self.cpt("c", "-c", "gnu.c", status=1).stderr
        )

    def test_simd_is_left_to_the_compiler(self):
        (self.at / "simd.c").write_text(
            "float f(float* a, int n)\n{ float s = 0, m = 1, t;\n"
            "#pragma omp parallel for simd reduction(+ : s) private(t) simdlen(8)\n"
            "for (int i = 0; i < n; i++) { t = a[i]; s += t; }\n"
            "#pragma omp simd reduction(max : m) lastprivate(t)\n"
            "for (int i = 0; i < n; i++) { t = a[i]; m = t > m ? t : m; }\nreturn s + m + t; }\n"
        )
        self.assertEqual(
            sorted(re.findall("#pragma omp.*", self.cpt("show", "simd.c").stdout)),
            [
                "#pragma omp simd lastprivate(t) reduction(max : m)",
                "#pragma omp simd private(t) reduction(+ : s) simdlen(8)",
            ],
        )
        for compiler in ("gcc", "clang-19"):
            if shutil.which(compiler):
                self.cpt("c", f"--cc={compiler}", "-O1", "-S", "simd.c")
                if compiler == "gcc":
                    self.assertIn("addps", (self.at / "simd.s").read_text())

    def test_one_object_of_several(self):
        self.cpt("c", "-r", "sum.c", "part.c", "-o", "both.o")
        self.cpt("c", "both.o", "-o", "out")
        self.runs()

    def test_dependencies(self):
        self.cpt("c", "-MD", "-c", "part.c", "-o", "x.o")
        rule = (self.at / "x.d").read_text()
        self.assertTrue(rule.startswith("x.o:"), rule)
        self.assertIn("part.h", rule)

    def test_assembly_and_preprocessing(self):
        self.cpt("c", "-S", "part.c")
        self.assertIn("__cp_parallel", (self.at / "part.s").read_text())
        self.assertIn("#pragma omp", self.cpt("c", "-E", "part.c").stdout)

    def test_show(self):
        self.assertIn("__cp_parallel(", self.cpt("show", "part.c").stdout)

    def test_memory_orders_of_atomics(self):
        """Those of a requires directive, where atomic directives have none of their own."""
        atomics = (
            "int f(int* p) { int v;\n"
            "#pragma omp atomic read\nv = *p;\n"
            "#pragma omp atomic write\n*p = 3;\n"
            "#pragma omp atomic\n*p += 3;\n"
            "#pragma omp atomic write relaxed\n*p = 3;\n"
            "#pragma omp atomic read seq_cst\nv = *p;\n"
            "return v; }\n"
        )
        for default, orders in (
            (None, "00005"),
            ("relaxed", "00005"),
            ("acq_rel", "23405"),
            ("seq_cst", "55505"),
        ):
            line = f"#pragma omp requires atomic_default_mem_order({default})\n" if default else ""
            (self.at / "order.c").write_text(line + atomics)
            self.assertEqual(
                "".join(re.findall(r"__atomic_.*, (\d)\);", self.cpt("show", "order.c").stdout)),
                orders,
                default,
            )

    def test_standard_input_and_preprocessed(self):
        self.cpt("c", "-c", "-x", "c", "-", "-o", "sum.o", input=SUM)
        (self.at / "part.i").write_text(self.cpt("c", "-E", "part.c").stdout)
        self.cpt("c", "sum.o", "part.i", "-o", "out")
        self.runs()
        self.assertIn(
            "__cp_parallel",
            subprocess.run(
                ["nm", "-u", "sum.o"], capture_output=True, text=True, cwd=self.at
            ).stdout,
        )

    def test_sources_of_other_languages(self):
        """They are the compiler's own, beside C and alone; in C++ as long as there is no OpenMP."""
        (self.at / "more.S").write_text(
            '.globl more\nmore: ret\n.section .note.GNU-stack,"",@progbits\n'
        )
        (self.at / "plain.cc").write_text(
            '#include <algorithm>\nextern "C" int plain(int a)\n'
            "{ return std::max<int>(a, 1); }\n"
        )
        self.cpt("c", "-c", "sum.c", "more.S", "plain.cc", "part.c")
        self.cpt("c", "sum.o", "more.o", "plain.o", "part.o", "-o", "out")
        self.runs()
        shutil.copy(self.at / "more.S", self.at / "more.txt")
        self.cpt("c", "sum.c", "-x", "assembler-with-cpp", "more.txt", "-xc", "part.c", "-o", "out")
        self.runs()
        (self.at / "with.cc").write_text(
            '#include "part.h"\nint f(int a)\n{\n#pragma omp parallel\n    a++;\nreturn a; }\n'
        )
        shutil.copy(self.at / "with.cc", self.at / "with")
        for arguments in (["with.cc"], ["-x", "c++", "with"], ["-xc++", "with.cc"]):
            self.assertRegex(
                self.cpt("c", "-c", *arguments, status=1).stderr,
                r"^with(\.cc)?:4: error: cpt: 'with(\.cc)?' is C\+\+ with OpenMP",
            )

    def test_directives_of_system_headers(self):
        (self.at / "system").mkdir()
        header = self.at / "system" / "head.h"
        header.write_text(
            "static inline int f(int n) {\nint s = 0;\n"
            "#pragma omp parallel num_threads(3) reduction(+ : s)\ns += n;\nreturn s; }\n"
        )
        (self.at / "main.c").write_text("#include <head.h>\nint main(void) { return f(2) != 6; }\n")
        self.cpt("c", "-isystem", "system", "main.c", "-o", "out")
        subprocess.run([self.at / "out"], check=True)
        header.write_text(header.read_text().replace("parallel", "tile sizes(2) //"))
        self.assertIn(
            "system/head.h:3:", self.cpt("c", "-isystem", "system", "main.c", status=1).stderr
        )

    def test_cases_that_fall_through(self):
        """gcc reads comments that allow it, which preprocessed text has lost."""
        (self.at / "falls.c").write_text(
            "int f(int x, int* y)\n{\n    switch (x) {\n    case 1:\n        *y += '/';\n"
            '        /* Falls\n           through. */\n    case 2:\n        *y += "/*"[0];\n'
            "        // FALLTHRU\n        // and more\n    default:\n        *y *= 2;\n    }\n"
            '#pragma omp parallel num_threads(2) /* " */\n'
            "#pragma omp atomic // fall through\n    *y += 1;\n    return __LINE__;\n}\n"
            "int g(int x) { switch (x) { case 1: x = 2; case 2: x = 3; } return x; }\n"
        )
        for options in ("-Wextra", "-W -Wall -O2", "-Wimplicit-fallthrough=2"):
            done = self.cpt("c", *options.split(), "-S", "falls.c")
            self.assertEqual(
                re.findall(r"falls\.c:(\d+).*fallthrough", done.stderr), ["20"], done.stderr
            )
            self.assertIn("$18", (self.at / "falls.s").read_text())
        self.cpt("c", "-Wextra", "-Wno-implicit-fallthrough", "-Werror", "-c", "falls.c")

    def test_arguments_in_a_file(self):
        (self.at / "arguments").write_text("-O1 'sum.c'\n\"part.c\" -o other\\ name\n")
        self.cpt("c", "@arguments")
        self.runs("./other name")


class ByProducts(DriverCase):
    def written(self, folder, *command):
        """What a compiler writes in a folder of its own."""
        where = self.at / folder
        (where / "sub").mkdir(parents=True)
        for name in ("sum.c", "part.c", "part.h"):
            shutil.copy(self.at / name, where)
        before = {p for p in where.rglob("*")}
        done = subprocess.run(command, cwd=where, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return sorted(str(p.relative_to(where)) for p in where.rglob("*") if p not in before)

    def test_by_products(self):
        """Dependencies, coverage notes, debugging information of their own, saved steps: under
        gcc's names."""
        for i, options in enumerate(
            (
                "-MD --coverage sum.c part.c",
                "-MD -save-temps sum.c part.c",
                "-MMD -gsplit-dwarf -g -fstack-usage sum.c part.c -o sub/program",
                "-MD --coverage -c part.c -o sub/other.o",
                "-save-temps -c part.c -o sub/other.o",
                "-MD -save-temps=cwd -c part.c -o sub/other.o",
                "-MD -S part.c -o sub/other.s",
                "-MD -MF x.d -gsplit-dwarf -g -c part.c",
            )
        ):
            with self.subTest(options=options):
                self.assertEqual(
                    self.written(f"cpt{i}", CPT, "c", *options.split()),
                    self.written(f"gcc{i}", "gcc", "-fopenmp", *options.split()),
                )
                for rule in (self.at / f"gcc{i}").rglob("*.d"):
                    ours = self.at / f"cpt{i}" / rule.relative_to(self.at / f"gcc{i}")
                    self.assertEqual(ours.read_text().split(":")[0], rule.read_text().split(":")[0])

    def test_coverage(self):
        self.cpt("c", "--coverage", "sum.c", "part.c", "-o", "out")
        self.runs()
        counted = subprocess.run(
            ["gcov", "-t", "out-part.gcda"], cwd=self.at, capture_output=True, text=True
        ).stdout
        self.assertRegex(counted, r"20\*?: +4: +y \+= x")


if __name__ == "__main__":
    unittest.main()
