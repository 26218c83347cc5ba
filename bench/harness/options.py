"""The command line of bench/run, and where its programs and results lie."""

import argparse
import os
import sys

from harness import given, loops, runtimes

BENCH = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def called():
    """The command as the user typed it."""
    return os.environ.get("ARTEL_BENCH_NAME", "bench/run")


def parse_arguments(description):
    parser = argparse.ArgumentParser(
        prog=called(),
        # `artel bench` has options of its own, which its help shows; ours would mislead.
        usage=None if called() == "bench/run" else f"{called()} [OPTIONS] [NAMES...]",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", help="parts of case names; none = all")
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--quick", action="store_true", help="short and rough: 2 rounds, few sizes")
    amount.add_argument(
        "--full", action="store_true", help="15 rounds; in the loop suite all sizes and schedules"
    )
    parser.add_argument(
        "--rounds",
        type=given.whole(1, 1000),
        help="processes per case and runtime (5; --quick: 2; --full: 15)",
    )
    parser.add_argument(
        "--seconds",
        type=given.above_zero,
        help="sampling time of one measure in one process (0.5; --quick: 0.1)",
    )
    parser.add_argument(
        "--against",
        type=names,
        help="loop suite: only these peers, by commas: "
        + ", ".join(loops.FAMILIES[1:-1])
        + ", or columns such as libgomp-static",
    )
    parser.add_argument(
        "--near",
        type=given.above_zero,
        metavar="NS",
        help="count a process only when a bare round trip between two CPUs "
        + "took at most NS nanoseconds before and after it and nobody else used them; else run it"
        " again",
    )
    parser.add_argument(
        "--threads",
        type=given.wholes(1, 1024),
        default=(2, 16),
        help="loop suite: numbers of workers, by commas (2,16)",
    )
    parser.add_argument(
        "--matrix",
        help=(
            "loop suite: the Matrix Market file of loops.matrix (one that Debian's scilab-doc has)"
        ),
    )
    parser.add_argument("--runtimes", type=names, help="only these columns, by commas")
    parser.add_argument("--out", help="folder for the results")
    parser.add_argument("--build", help="Artel's build directory")
    parser.add_argument("--libraries", help="folder of libartel, where that is not the build's lib")
    parser.add_argument("--programs", help="folder in which the programs are built")
    parser.add_argument("--no-build", action="store_true", help="take the programs as they are")
    parser.add_argument("--list", action="store_true", help="list the cases and stop")
    parser.add_argument(
        "--compare", nargs=2, metavar=("A", "B"), help="compare two results.json and stop"
    )
    options = parser.parse_args()
    options.scale = 0 if options.quick else 2 if options.full else 1
    options.rounds = options.rounds or (2, 5, 15)[options.scale]
    options.seconds = options.seconds or (0.1 if options.quick else 0.5)
    known = set(loops.FAMILIES)
    for name in options.against or ():
        if loops.family(name) not in known:
            parser.error(
                f"--against: there is no peer '{name}'; there are"
                f" {', '.join(loops.FAMILIES[1:-1])}, and ways of them such as libgomp-static"
            )
    return options


def names(text):
    return [name for name in text.split(",") if name]


def find_places(options):
    """In the source tree everything lies under build/; installed, under the user's cache."""
    root = os.path.dirname(BENCH)
    if os.path.exists(f"{root}/src"):
        build = os.path.abspath(
            options.build
            or (os.path.dirname(options.libraries) if options.libraries else f"{root}/build")
        )
        # Peers do not depend on the build of Artel: one copy serves every build directory.
        shared = f"{root}/build"
    else:
        build = shared = os.path.join(
            os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "artel", "bench"
        )
    programs = os.path.abspath(options.programs) if options.programs else f"{build}/bench-programs"
    return runtimes.Places(
        root,
        build,
        programs,
        f"{shared}/bench-venv",
        f"{shared}/bench-peers",
        os.path.abspath(options.libraries) if options.libraries else "",
    )


def fail(text, status=3):
    print(f"{called()}: {text}", file=sys.stderr)
    sys.exit(status)
