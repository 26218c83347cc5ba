#!/usr/bin/env python3
"""Checks the models' deliberate breakages: the code that a model breaks must exist.

A model (x_model.cpp, base/run_model.hpp) runs its scenarios and then each breakage of its table,
which it must catch. That takes minutes, so only ./check full does it, and only there would a
renamed function be noticed. This program just reads the tables:

1. Every model has scenarios and breakages, and ends with ARTEL_MODEL_MAIN of them.
2. A breakage is named once for a scenario, and that scenario exists.
3. The model or its headers test for each custom breakage, by model::broken("its name"), and for
none that is not in the table.
4. Any other breakage names a file that the model includes, and a function in it that has what is
broken: a full fence, or an access to an atomic variable.
5. With --build DIR (a build of the model preset): every model is built and a test.
"""
from __future__ import annotations

import argparse
import json
import pathlib
import re
import subprocess
import sys

import cpp_text

MAIN = re.compile(r"^ARTEL_MODEL_MAIN\(scenarios, breakages\)$", re.MULTILINE)
TABLE = r"std::vector<model::%s> %s\{(.*?)^\};"
COMMENT = re.compile(r"//[^\n]*")
SCENARIO = re.compile(r"\{\s*\"[^\"]*\"\s*,\s*rl::simulate<")
BREAKAGE = re.compile(
    r'\{\s*"([^"]*)"\s*,\s*(\d+)\s*,\s*model::damage::(\w+)'
    r'(?:\s*,\s*"([^"]*)"\s*,\s*"([^"]*)")?\s*\}'
)
ASKED = re.compile(r'\bmodel::broken\(\s*"([^"]*)"\s*\)')
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
FENCE = re.compile(r"\b(?:full_fence|fence_after_change)\s*\(")
ACCESS = re.compile(
    r"(?:\.|->)\s*(?:load|store|exchange|compare_exchange_\w+|fetch_\w+)\s*\(" r"|\bmemory_order"
)


def included(root: pathlib.Path, model: pathlib.Path) -> set[pathlib.Path]:
    """The model's file and what of the repository it includes, and so on."""
    parts = model.relative_to(root).parts
    part = root.joinpath(*parts[:2]) if parts[0] == "facades" else root / parts[0]
    found, left = set(), [model]
    while left:
        path = left.pop()
        if path in found:
            continue
        found.add(path)
        for name in INCLUDE.findall(path.read_text(encoding="utf-8")):
            for folder in (path.parent, root / "src", root / "include", part):
                if (folder / name).is_file():
                    left.append((folder / name).resolve())
                    break
    return found


def closing(code: str, start: int) -> int:
    """The place where the bracket at code[start] is closed."""
    depth = 0
    for position in range(start, len(code)):
        depth += (code[position] in "({") - (code[position] in ")}")
        if depth == 0:
            return position
    return len(code)


def bodies(code: str, function: str) -> list[str]:
    """The definitions of functions whose signature holds the text."""
    name = re.split(r"::", function.rstrip("("))[-1]
    found = []
    for match in re.finditer(rf"\b{re.escape(name)}\s*(?=\()", code):
        end = closing(code, match.end())
        # What may stand between the parameters and the body.
        rest = re.match(r"[\w\s\->:<>&*,()]*?\{", code[end + 1 :])
        if rest and ";" not in rest.group():
            begin = end + rest.end()
            found.append(code[begin : closing(code, begin)])
    return found


def check_model(root: pathlib.Path, path: pathlib.Path) -> tuple[int, list[str]]:
    where = path.relative_to(root)
    text = path.read_text(encoding="utf-8")
    tables = {}
    for kind in ("scenario", "breakage"):
        match = re.search(TABLE % (kind, kind + "s"), text, re.MULTILINE | re.DOTALL)
        tables[kind] = COMMENT.sub("", match[1]) if match else ""
    scenarios = len(SCENARIO.findall(tables["scenario"]))
    breakages = BREAKAGE.findall(tables["breakage"])
    problems = []
    if not scenarios or not breakages or not MAIN.search(text):
        problems.append(f"{where}: wants scenarios, breakages and ARTEL_MODEL_MAIN of the two")
    if len(breakages) != len(re.findall(r"model::damage::", tables["breakage"])):
        problems.append(
            f'{where}: a breakage cannot be read: {{"name", scenario, model::damage::'
            f'kind, "file", "function"}}'
        )
    files = included(root, path)
    asked = {name for file in files for name in ASKED.findall(file.read_text(encoding="utf-8"))}
    for name in sorted(asked - {b[0] for b in breakages if b[2] == "custom"}):
        problems.append(f"{where}: asks for '{name}', which its breakages do not name")
    seen = set()
    for name, scenario, kind, file, function in breakages:

        def problem(what: str) -> None:
            problems.append(f"{where}: breakage '{name}': {what}")

        if (name, scenario) in seen:
            problem(f"named twice for scenario {scenario}")
        seen.add((name, scenario))
        if int(scenario) >= scenarios:
            problem(f"there are scenarios 0 to {scenarios - 1}, not {scenario}")
        if kind == "custom":
            if name not in asked:
                problem(f'nobody asks model::broken("{name}")')
            continue
        meant = [f for f in files if file and str(f).endswith("/" + file)]
        if not meant:
            problem(f"the model includes no file '{file}'")
            continue
        wanted, what = (FENCE, "full_fence()") if kind == "no_fence" else (ACCESS, "atomic access")
        code = ["\n".join(cpp_text.read(f).code) for f in meant]
        if not any(wanted.search(body) for c in code for body in bodies(c, function)):
            problem(f"'{file}' has no function '{function}' with a {what}")
    return len(breakages), problems


def models(root: pathlib.Path) -> list[pathlib.Path]:
    files = cpp_text.tracked_files(
        root, ["src", "facades", "mpi", "tools", "lab", "cpt"], ("_model.cpp",)
    )
    # Files of that name without it are no models of concurrency (artel mpi model).
    return [f for f in files if "base/run_model.hpp" in INCLUDE.findall(f.read_text())]


def not_built(root: pathlib.Path, build: pathlib.Path) -> list[str]:
    listed = json.loads(
        subprocess.run(
            ["ctest", "--test-dir", str(build), "-L", "^model$", "--show-only=json-v1"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    )
    tests = {test["name"].split("/")[-1] for test in listed["tests"] if test.get("command")}
    return [
        f"{path.relative_to(root)}: not built and tested in {build}"
        for path in models(root)
        if path.stem not in tests
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[2]
    )
    parser.add_argument("--build", type=pathlib.Path, help="also look whether all are built here")
    arguments = parser.parse_args()
    root = arguments.root.resolve()
    files, problems, breakages = models(root), [], 0
    for path in files:
        count, found = check_model(root, path)
        breakages += count
        problems += found
    if arguments.build:
        problems += not_built(root, arguments.build)
    print(
        "\n".join(
            problems
            + [f"{len(files)} models with {breakages} breakages, " f"{len(problems)} problems"]
        )
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
