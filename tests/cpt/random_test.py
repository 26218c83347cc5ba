#!/usr/bin/env python3
"""Random programs with OpenMP, by number: what gcc's print, cpt's must print on each runtime that
is installed. What they compute does not depend on how many threads there are. `random_test.py CPT
FIRST COUNT` tries others than the few of ./check; a program that differs is shown."""
import os
import random
import re
import subprocess
import sys
import tempfile

START = """#include <stdio.h>
#include <omp.h>
static int own = 3;
#pragma omp threadprivate(own)
"""


def schedule(r):
    return r.choice(
        [
            "",
            "schedule(static)",
            f"schedule(static, {r.randint(1, 5)})",
            f"schedule(dynamic, {r.randint(1, 4)})",
            "schedule(guided)",
            "schedule(auto)",
            "schedule(runtime)",
        ]
    )


def head(r, i, n):
    return r.choice(
        [
            f"for (int {i} = 0; {i} < {n}; {i}++)",
            f"for (int {i} = {n} - 1; {i} >= 0; {i}--)",
            f"for (long {i} = 0; {i} <= {n} - 1; ++{i})",
            f"for (unsigned {i} = 0; {i} != {n}; {i} += 1)",
            f"for (int {i} = {n}; {i} > 0; {i} -= 2)",
        ]
    )


def piece(r, i, j, m):
    """Statements that change s, a sum; n and k are parameters, loc an array of m."""
    size = r.choice(["", f"num_threads({r.randint(1, 5)})", f"if (n > {r.randint(0, 30)})"])
    when = r.choice(["untied", "mergeable", "if (n > 5)", "final(n < 9)", ""])
    return r.choice(
        [
            (
                "#pragma omp parallel for reduction(+ : s)"
                f" {schedule(r)} {size} firstprivate(x)\n{head(r, i, 'n')} {{ s += k * {i} + x; if"
                f" ({i} % 3 == 1) continue; s ^= 0; }}"
            ),
            (
                f"#pragma omp parallel for collapse(2) reduction(+ : s)\nfor (int {i} = 0; {i} < n;"
                f" {i}++)\nfor (int {j} = {r.choice(['0', i, 'n - ' + i])}; {j} < n + {m}; {j}++) s"
                f" += {i} * {m} + {j};"
            ),
            (
                f"#pragma omp parallel {size} firstprivate(y) shared(loc)\n{{ y += n;\n#pragma omp"
                f" for {schedule(r)} nowait\n{head(r, i, m)} loc[{i} % {m}] += y;\n#pragma omp"
                f" barrier\n#pragma omp single\nfor (int q = 0; q < {m}; q++) s += loc[q];\n}}"
            ),
            (
                f"#pragma omp parallel\n#pragma omp single\nfor (int {i} = 0; {i} < n; {i}++)"
                f" {{\n#pragma omp task firstprivate({i}) shared(s) {when}\n{{ long v = {i} * k; if"
                " (v % 2 == 0) {\n#pragma omp task shared(s) firstprivate(v)\n{\n#pragma omp"
                " atomic\ns += v; } }\n#pragma omp taskwait\n} }"
            ),
            (
                f"#pragma omp parallel for ordered {schedule(r)}\nfor (int {i} = 0; {i} < n; {i}++)"
                f" {{ int w = {i} * 3;\n#pragma omp ordered\n{{ s = s * 3 + w; s %= 100003; }} }}"
            ),
            (
                "#pragma omp parallel sections reduction(+ : s) lastprivate(x)\n{\n#pragma omp"
                f" section\n{{ x = 1; s += n; }}\n#pragma omp section\n{{ x = 2; for (int {i} = 0;"
                f" {i} < {m}; {i}++) s += loc[{i}]; }}\n}}\ns += x;"
            ),
            (
                "{ long last = 0; int c = 0;\n#pragma omp parallel for lastprivate(last)"
                f" lastprivate(conditional : c) {schedule(r)}\nfor (int {i} = 0; {i} < n + 1;"
                f" {i}++) {{ last = {i} * k; if ({i} % {m} == 0) c = {i}; }}\ns += last + c; }}"
            ),
            (
                "#pragma omp parallel for reduction(+ : loc)"
                f" {schedule(r)}\n{head(r, i, 'n')} loc[{i} % {m}] += {i};\nfor (int q = 0; q <"
                f" {m}; q++) s += loc[q] * q;"
            ),
            (
                f"#pragma omp parallel num_threads({r.randint(1, 3)}) reduction(+ : s)\n{{ long z ="
                " 0;\n#pragma omp parallel for num_threads(2) reduction(+ : z)"
                f" {schedule(r)}\n{head(r, i, 'n')} z += {i};\n#pragma omp master\ns += z; }}"
            ),
            (
                "#pragma omp parallel\n#pragma omp single\n#pragma omp taskloop"
                f" {r.choice(['grainsize(3)', 'num_tasks(4)', ''])} reduction(+ : s)"
                f" {r.choice(['collapse(2)', ''])}\nfor (int {i} = 0; {i} < n; {i}++)\nfor (int"
                f" {j} = 0; {j} < {m}; {j}++) s += {i} * {j} + k;"
            ),
            (
                f"own = n;\n#pragma omp parallel copyin(own) num_threads({r.randint(1, 4)})\n{{ own"
                " += omp_get_thread_num();\n#pragma omp critical\nloc[0] += own -"
                " omp_get_thread_num() == n ? 0 : 1; }\ns += loc[0];"
            ),
            (
                f"#pragma omp parallel\n#pragma omp single\nfor (int {i} = 0; {i} < n; {i}++)"
                f" {{\n#pragma omp task depend(inout : loc[{i} % {m}]) firstprivate({i})\nloc[{i} %"
                f" {m}] = (loc[{i} % {m}] * 5 + {i}) % 1009;\n}}\nfor (int q = 0; q < {m}; q++) s"
                " += loc[q] * (q + 1);"
            ),
        ]
    )


def program(number):
    r = random.Random(number)
    text, calls = START, ""
    for f in range(r.randint(3, 6)):
        m = r.randint(1, 9)
        text += (
            f"static long f{f}(int n, {r.choice(['int', 'long', 'unsigned', 'short'])} k)\n{{ long"
            f" s = 0; int x = n % 7, y = 2, loc[{m}]; (void)x, (void)y, (void)k;\nfor (int i = 0; i"
            f" < {m}; i++) loc[i] = i;\n"
            + "\n".join(piece(r, f"i{p}", f"j{p}", m) for p in range(r.randint(2, 5)))
            + "\nreturn s + loc[0]; }\n"
        )
        calls += f'printf("%ld\\n", f{f}({r.randint(0, 23)}, {r.randint(1, 5)})); '
    return text + "int main(void) { " + calls + "return 0; }\n"


def main():
    cpt = os.path.abspath(sys.argv[1])
    first, count = (int(a) for a in sys.argv[2:4]) if len(sys.argv) > 3 else (1, 4)
    installed = subprocess.run(
        [cpt, "run", "--info"], capture_output=True, text=True, check=True
    ).stdout
    runtimes = re.search(r"installed: ([a-z, ]+)", installed)[1].split(", ")
    environment = {**os.environ, "OMP_NUM_THREADS": "4", "OMP_MAX_ACTIVE_LEVELS": "8"}
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        source, stock, ours = (
            os.path.join(folder, name) for name in ("program.c", "stock", "ours")
        )
        for number in range(first, first + count):
            with open(source, "w", encoding="utf-8") as f:
                f.write(program(number))
            subprocess.run(["gcc", "-fopenmp", "-w", "-O1", source, "-o", stock], check=True)
            subprocess.run([cpt, "c", "-w", "-O1", source, "-o", ours], check=True)
            wanted = subprocess.run(
                [stock], capture_output=True, text=True, env=environment, check=True, timeout=300
            ).stdout
            for runtime in runtimes:
                done = subprocess.run(
                    [cpt, "run", "--runtime", runtime, ours],
                    capture_output=True,
                    text=True,
                    env=environment,
                    timeout=300,
                )
                if done.returncode != 0 or done.stdout != wanted:
                    bad += 1
                    print(
                        f"program {number} on {runtime}: exit status {done.returncode},"
                        f" {done.stdout.split()}, not"
                        f" {wanted.split()}\n{done.stderr}\n{program(number)}"
                    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
