#!/usr/bin/env python3
"""The C interface of a built libartel.so.0, compared by abidiff with
packaging/abi/libartel.so.0.abi: symbols and their versions, parameters and types as the library was
compiled. check_abi.py compares what the headers say; this, what gcc made of it.

C names only: they are kept for the life of the soname, and classes of the C++ side contain those of
the standard library, which differ between versions of gcc. Needs a build with -g, as the release
preset makes it, and abigail-tools. The file is what abidw writes, without the types that no C
function leads to: 50 KB of a megabyte.

Exit status: 0, 1 when something differs, 2 on wrong usage.
"""
from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "packaging" / "abi" / "libartel.so.0.abi"
REFERENCES = ("type-id", "method-class-id", "naming-typedef-id", "def-of-decl-id")
# Of every function the same.
DROPPED = ("visibility", "binding", "size-in-bits")


def run(*words: str | pathlib.Path, good: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        sys.exit(f"check_abidiff: there is no {words[0]} (packaging/install-deps check)")
    if done.returncode not in good:
        sys.exit(f"check_abidiff: {' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done


def c_names(library: pathlib.Path) -> list[str]:
    listed = run("nm", "-D", "--defined-only", library).stdout
    names = {line.split()[-1].partition("@")[0] for line in listed.splitlines()}
    return sorted(name for name in names if name.startswith("artel_"))


def dumped(library: pathlib.Path, names: list[str], headers: pathlib.Path) -> str:
    """abidw's description of these functions, with the types of all the library."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = pathlib.Path(folder) / "wanted"
        wanted.write_text("[abi_whitelist]\n" + "".join(f"  {name}\n" for name in names))
        return run(
            "abidw",
            *("--no-corpus-path", "--no-comp-dir-path", "--no-show-locs", "--no-elf-needed"),
            *("--type-id-style", "hash", "--drop-private-types", "--headers-dir", headers),
            *("--kmi-whitelist", wanted, library),
        ).stdout


def reduced(text: str, names: list[str]) -> str:
    """The description of these functions and the types that they lead to, as one unit."""
    corpus = xml.fromstring(text)
    types: dict[str, list[xml.Element]] = {}
    for element in corpus.iter():
        if "id" in element.attrib:
            types.setdefault(element.attrib["id"], []).append(element)
    functions = [
        f
        for f in corpus.iter("function-decl")
        if f.get("elf-symbol-id", "").partition("@")[0] in names
    ]
    reached, todo = set(), list(functions)
    while todo:
        for part in todo.pop().iter():
            for name in (part.get(key) for key in REFERENCES):
                if name is not None and name not in reached:
                    reached.add(name)
                    todo += types.get(name, [])
    wanted = {id(f) for f in functions} | {id(t) for name in reached for t in types.get(name, [])}

    def thin(element: xml.Element) -> bool:
        """Removes what is not wanted; whether anything is left."""
        if id(element) in wanted:
            return True
        for child in list(element):
            if not thin(child):
                element.remove(child)
        return len(element) > 0

    for symbols in corpus.findall("elf-variable-symbols"):
        corpus.remove(symbols)  # of the C++ side
    unit = xml.Element("abi-instr", {"address-size": "64", "language": "LANG_C_plus_plus_14"})
    for instruction in corpus.findall("abi-instr"):
        if thin(instruction):
            unit.extend(instruction)
        corpus.remove(instruction)
    for function in functions:
        for key in DROPPED:
            function.attrib.pop(key, None)
    unit[:] = sorted(unit, key=lambda e: (e.tag, e.get("name", ""), e.get("id", "")))
    corpus.append(unit)
    xml.indent(corpus, " ")
    return xml.tostring(corpus, encoding="unicode") + "\n"


def snapshot(library: pathlib.Path, headers: pathlib.Path) -> str:
    names = c_names(library)
    text = reduced(dumped(library, names, headers), names)
    if "<function-decl" not in text:
        sys.exit(f"check_abidiff: {library} has no C functions, or was built without -g")
    return text


def differences(kept: pathlib.Path, now: str) -> str:
    """What abidiff says; empty when no program can notice anything."""
    with tempfile.TemporaryDirectory() as folder:
        new = pathlib.Path(folder) / "now.abi"
        new.write_text(now)
        # 4: something changed; 8: and in a way that breaks programs. Lower bits: an error.
        done = run("abidiff", kept, new, good=(0, 4, 12))
    return done.stdout if done.returncode else ""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("library", type=pathlib.Path, help="the built libartel.so.0")
    parser.add_argument("--renew", action="store_true", help="write the file instead of comparing")
    options = parser.parse_args()
    if not options.library.exists():
        parser.error(f"there is no {options.library}")
    now = snapshot(options.library, ROOT / "include")
    if options.renew:
        KEPT.write_text(now)
    found = differences(KEPT, now)
    if found:
        print(
            f"check_abidiff: {found}What was removed or changed breaks compiled programs, unless"
            " the soname changes too; what was added does not. check_abidiff.py --renew writes what"
            " is now, to be committed with the reason."
        )
        return 1
    print(f"check_abidiff: {now.count('<function-decl')} C functions as in {KEPT.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
