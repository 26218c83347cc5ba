"""What the runners of other people's suites have in common: where a suite is kept, options, the
choice of tests, lists of known failures, clean environments and results."""
import json
import os
import random
import shutil
import sys

import debian_source

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CANNOT = 77


def cannot(text):
    """Ends the run: what it needs cannot be had, so ctest skips it."""
    print(f"conformance: {text}", file=sys.stderr)
    sys.exit(CANNOT)


def fetch_suite(cache, package, size, patterns):
    """Replaces the cache's folder "suite" by what the source package holds under the patterns."""
    print(f"downloading the source of {package} ({size}, once)", flush=True)
    target = os.path.join(cache, "suite.part")
    try:
        debian_source.download(package, target, patterns)
    except debian_source.Unavailable as e:
        cannot(f"cannot get the suite: {e}")
    shutil.rmtree(os.path.join(cache, "suite"), ignore_errors=True)
    os.rename(target, os.path.join(cache, "suite"))


def add_options(parser, library, library_help, cache, tests="tests"):
    """Options of every runner; the defaults are folders below the project's."""
    parser.add_argument(
        "--library",
        help=f"{library_help} (default: {library})",
        default=os.path.join(ROOT, library),
    )
    parser.add_argument(
        "--cache",
        help=f"suite and compiled programs (default: {cache})",
        default=os.path.join(ROOT, cache),
    )
    parser.add_argument(
        "--sample", type=int, help=f"only so many {tests}, chosen by --seed", metavar="N"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--only",
        nargs="+",
        default=[],
        metavar="TEXT",
        help=f"only {tests} whose name contains one of these",
    )
    parser.add_argument(
        "--known",
        help=(
            f"file with names of {tests} that are known to fail: reported, but no reason for exit"
            " status 1"
        ),
    )
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--json", help="write the results to this file")


def add_openmp_options(parser):
    """Options of the runners that judge the OpenMP drop-in."""
    parser.add_argument(
        "--threads", type=int, help="OMP_NUM_THREADS where the test does not set it"
    )
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument(
        "--preload",
        help="one more library beside the drop-in, such as the tormentor's (tests/torment)",
    )
    parser.add_argument(
        "--skip-stock",
        action="store_true",
        help="take it that the stock runtime passes (run_llvm: run it for what fails only)",
    )


def parse(parser):
    """The arguments, with absolute paths."""
    arguments = parser.parse_args()
    arguments.library = os.path.abspath(arguments.library)
    arguments.cache = os.path.abspath(arguments.cache)
    return arguments


def preloaded(parser, arguments):
    """What LD_PRELOAD has to name: the drop-in, and what --preload adds."""
    if not os.path.exists(arguments.library):
        parser.error(f"no {arguments.library}")
    if arguments.preload:
        return arguments.library + ":" + os.path.abspath(arguments.preload)
    return arguments.library


def choose(tests, arguments, name=lambda test: test):
    """Those that --only and --sample leave."""
    if arguments.only:
        tests = [t for t in tests if any(o in name(t) for o in arguments.only)]
    if arguments.sample:
        tests = random.Random(arguments.seed).sample(tests, min(arguments.sample, len(tests)))
    return tests


def known_failures(arguments):
    """The names in the file --known."""
    if not arguments.known:
        return set()
    with open(arguments.known, encoding="utf-8") as f:
        return {line.split()[0] for line in f if line.strip() and not line.startswith("#")}


def environment_without(*families):
    """This process's environment without the variables of the runtimes, told by their prefixes."""
    return {k: v for k, v in os.environ.items() if not k.startswith(families)}


def what_failed(name, known, stock_passes, otherwise):
    """How the failure of a test is reported; only "FAILED" makes the exit status 1."""
    if name in known:
        return "known to fail"
    return "FAILED" if stock_passes else otherwise


def tell_if_better(name, known):
    """Of a test that passes."""
    if name in known:
        print(f"{name} passes, though it is listed as known to fail")


def write_json(arguments, values):
    """The results, into --json; whoever reads it meanwhile sees the old file or the new one."""
    if not arguments.json:
        return
    with open(arguments.json + ".part", "w", encoding="utf-8") as f:
        json.dump(values, f, indent=1)
    os.rename(arguments.json + ".part", arguments.json)
