"""Views of a C++ source file for the lints: the code without comments and literals, and the
comments by line.

Both keep the line structure, so a line number means the same in all of them. Not a parser: it knows
comments, string, character and raw string literals, and line continuations, which is all that the
lints need."""
from __future__ import annotations

import dataclasses
import pathlib
import re
import subprocess

_TOKEN = re.compile(
    r"""//(?:[^\n\\]|\\.|\\\n)*          # line comment (a trailing backslash continues it)
      | /\*.*?\*/                        # block comment
      | R"(?P<delimiter>[^()\s\\]{0,16})\(.*?\)(?P=delimiter)"
      | "(?:[^"\\\n]|\\.)*"
      | (?<![0-9a-zA-Z_])'(?:[^'\\\n]|\\.)*'   # a quote inside a number separates digits
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclasses.dataclass
class Source:
    path: pathlib.Path
    raw: list[str]
    code: list[str]  # comments removed, literals emptied
    comments: list[str]  # text of the comments that touch the line

    def has_code(self, line: int) -> bool:
        return bool(self.code[line].strip())


def _blank(text: str) -> str:
    return "".join("\n" if c == "\n" else " " for c in text)


def read(path: pathlib.Path, text: str | None = None) -> Source:
    if text is None:
        text = path.read_text(encoding="utf-8")
    code, comments = [], []
    position = 0
    for match in _TOKEN.finditer(text):
        between = text[position : match.start()]
        code.append(between)
        comments.append(_blank(between))
        token = match.group()
        if token.startswith(("//", "/*")):
            code.append(_blank(token))
            comments.append(token)
        else:
            quote = token[-1]
            code.append(quote + _blank(token[1:-1]) + quote)
            comments.append(_blank(token))
        position = match.end()
    code.append(text[position:])
    comments.append(_blank(text[position:]))
    return Source(path, text.split("\n"), "".join(code).split("\n"), "".join(comments).split("\n"))


def tracked_files(
    root: pathlib.Path, folders: list[str], suffixes: tuple[str, ...] = ("",)
) -> list[pathlib.Path]:
    """Files of the repository under the folders (all of it when none is named), new ones that git
    does not ignore included; without suffixes those of any name."""
    command = [
        "git",
        "-C",
        str(root),
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
        "--",
        *folders,
    ]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    found = {root / name for name in names if name.endswith(suffixes)}
    return sorted(path for path in found if path.is_file())
