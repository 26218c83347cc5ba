"""The directives in gcc's test programs (DejaGnu's `dg-` comments), as far as libgomp's run tests
use them: what to do with a file, how to compile it, in which environment to run it and what to
expect. Selectors are evaluated for a host without offloading devices."""
import fnmatch
import functools
import os
import re

MACHINE = f"{os.uname().machine}-pc-linux-gnu"

DIRECTIVE = re.compile(
    r"\{\s*(dg-[a-z-]+)\s*((?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)\}"
)


@functools.cache
def processor_flags():
    with open("/proc/cpuinfo", encoding="utf-8") as f:
        for line in f:
            if line.startswith("flags"):
                return frozenset(line.split(":", 1)[1].split())
    return frozenset()


def holds_alone(word, language):
    """One word of a selector: a machine or what DejaGnu calls an effective target."""
    if "-" in word and ("*" in word or word.count("-") >= 2):
        return fnmatch.fnmatch(MACHINE, word)
    if word in ("c", "c++"):
        return language == word
    if word in ("avx_runtime", "sse2_runtime"):
        return word.removesuffix("_runtime") in processor_flags()
    return word in {
        "lp64",
        "tls",
        "tls_runtime",
        "sync_int_long",
        "size32plus",
        "fpic",
        "shared",
        "lto",
        "vect_simd_clones",
        "fd_truncate",
        "__float128",
        # the last: target regions run on the host, in its memory
        "large_long_double",
        "pthread",
        "offload_device_shared_as",
        "alloca",
        "int128",
        "fortran_large_real",
        "sync_char_short",
    }


def holds(selector, language):
    """A selector: words joined by &&, || and !, grouped by braces; words side by side mean or."""
    tokens = re.findall(r"\{|\}|&&|\|\||!|[^\s{}!]+", selector)
    at = 0

    def term():
        nonlocal at
        token = tokens[at]
        at += 1
        if token == "!":
            return not term()
        if token == "{":
            value = expression()
            at += 1
            return value
        return holds_alone(token, language)

    def expression():
        nonlocal at
        value = term()
        while at < len(tokens) and tokens[at] != "}":
            if tokens[at] == "&&":
                at += 1
                right = term()
                value = value and right
            else:
                at += tokens[at] == "||"
                right = term()
                value = value or right
        return value

    return expression() if tokens else True


def words(text):
    """The words of a Tcl list: quoted, in braces, or bare. Returns (word, kind) pairs."""
    result = []
    for match in re.finditer(
        r'"((?:[^"\\]|\\.)*)"|\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}|(\S+)', text
    ):
        if match[1] is not None:
            result.append((match[1], '"'))
        elif match[2] is not None:
            result.append((match[2].strip(), "{"))
        else:
            result.append((match[3], ""))
    return result


def selected(arguments, language):
    """Does the `{ target ... }` among the arguments, if any, hold?"""
    for word, kind in arguments:
        if kind == "{" and re.match(r"target\b", word):
            return holds(word[len("target") :], language)
    return True


def tcl_pattern(text):
    """A regular expression in a Tcl string, as Python's."""
    return re.sub(r"\\(.)", lambda m: {"n": "\n", "r": "\r"}.get(m[1], m[1]), text)


class Test:
    """What the directives of one file say. `why_not`: why it is no run test here; empty if it is
    one."""

    def __init__(self, path, language):
        self.path = path
        self.language = language
        self.options = None
        self.more_options = []
        self.sources = []
        self.environment = {}
        self.should_fail = False
        self.output = ""
        self.why_not = ""
        self.limit_factor = 1.0
        with open(path, encoding="latin-1") as f:
            text = f.read()
        do, done = "run", False
        for name, rest in DIRECTIVE.findall(text):
            arguments = words(rest)
            first = arguments[0][0] if arguments else ""
            applies = selected(arguments[1:], language)
            if name == "dg-do":
                if applies:
                    do, done = first, True
                elif not done:
                    do = "nothing for this target"
            elif name == "dg-require-effective-target":
                if applies and not holds_alone(first, language):
                    self.why_not = f"needs {first}"
            elif name == "dg-skip-if":
                if len(arguments) > 1 and holds(arguments[1][0], language):
                    flags = arguments[2][0] if len(arguments) > 2 else '"*"'
                    if flags.strip('" ') in ("*", "") and len(arguments) < 4:
                        self.why_not = "skipped by its own directive"
            elif not applies:
                pass
            elif name == "dg-options":
                self.options = first.split()
            elif name == "dg-additional-options":
                self.more_options += first.split()
            elif name == "dg-additional-sources":
                self.sources += [os.path.join(os.path.dirname(path), s) for s in first.split()]
            elif name == "dg-set-target-env-var":
                self.environment[first] = arguments[1][0]
            elif name == "dg-shouldfail":
                self.should_fail = True
            elif name == "dg-output":
                self.output += tcl_pattern(first)
            elif name == "dg-timeout-factor":
                self.limit_factor = float(first)
        if do != "run" and not self.why_not:
            self.why_not = f"dg-do {do}"

    def flags(self):
        """Compiler flags besides -fopenmp; without those that write files or name devices."""
        chosen = (["-O2"] if self.options is None else self.options) + self.more_options
        return [f for f in chosen if not f.startswith(("-fdump-", "-foffload", "-save-temps"))]

    def verdict(self, status, output):
        """Empty when that is how the program should end, else what is wrong."""
        if status == "timeout":
            return "timeout"
        if (status != 0) != self.should_fail:
            return f"signal {-status}" if status < 0 else f"status {status}"
        if self.output and not re.search(self.output, output):
            return "output"
        return ""
