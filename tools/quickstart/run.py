#!/usr/bin/python3
"""Runs the example programs under the stock OpenMP runtime and under Artel, interleaved, and
reports.

Called by ./quickstart, which has installed and built what this needs; can be called alone after a
build. Exit status: 0 when all runs succeeded and agreed, 1 when not, 2 for wrong usage, 3 when
something is missing."""

import argparse
import datetime
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

# pylint: disable=wrong-import-position
import agree  # noqa: E402
import machine  # noqa: E402
import measure  # noqa: E402
import programs  # noqa: E402
import table  # noqa: E402
import threads  # noqa: E402
from progress import Progress  # noqa: E402

REPOSITORY = HERE.parent.parent


class Missing(Exception):
    """Something is missing that has to be there before anything can be measured."""


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="tools/quickstart/run.py", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "--build",
        type=pathlib.Path,
        default=REPOSITORY / "build",
        help="build tree (default: build)",
    )
    parser.add_argument(
        "--out", type=pathlib.Path, help="folder of the report (default: BUILD/quickstart)"
    )
    parser.add_argument(
        "--rounds", type=int, help="pairs of runs per program (default 3, with --quick 2)"
    )
    parser.add_argument(
        "--quick", action="store_true", help="small sizes and two pairs: about 20 seconds"
    )
    parser.add_argument("--only", metavar="NAME[,NAME]", help="run these programs only")
    parser.add_argument(
        "--null-test",
        action="store_true",
        help="stock on both sides: shows the noise of this machine",
    )
    options = parser.parse_args(arguments)
    if options.rounds is None:
        options.rounds = 2 if options.quick else 3
    if not 1 <= options.rounds <= 1000:
        parser.error(f"--rounds wants a number from 1 to 1000, not {options.rounds}")
    options.build = options.build.resolve()
    options.out = (options.out or options.build / "quickstart").resolve()
    return options


def need(path, remedy):
    if not os.path.exists(path):
        raise Missing(f"{path} is not there; {remedy}")


def prepare(options, work):
    """Checks that everything needed is there and makes the inputs; raises Missing."""
    examples = options.build / "examples"
    tool = options.build / "bin" / "artel"
    build = "run ./quickstart, or cmake --preset release && cmake --build --preset release"
    if not options.null_test:
        need(tool, build)
        need(options.build / "lib" / "libgomp-artel.so.1", build)
    for name in ("ensemble", "pyramid", "cholesky", "queens", "mergesort"):
        need(examples / name, build)
    if shutil.which("gm") is None:
        raise Missing(
            "gm (GraphicsMagick) is not installed; packaging/install-deps examples installs it"
        )
    need(
        programs.MATRIX_SOURCE,
        "packaging/install-deps examples installs it (Debian package scilab-doc)",
    )
    need(
        programs.PICTURE_SOURCE,
        "packaging/install-deps examples installs it (Debian package python-matplotlib-data)",
    )
    work.mkdir(parents=True, exist_ok=True)
    for command in (
        [
            sys.executable,
            str(REPOSITORY / "examples/data/hb2mtx.py"),
            programs.MATRIX_SOURCE,
            str(work / "bcsstk24.mtx"),
        ],
        ["gm", "convert", programs.PICTURE_SOURCE, str(work / "picture.ppm")],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Missing(f"could not make an input: {' '.join(command)}: {done.stderr.strip()}")
    return tool, examples


def run_program(program, commands, options, work, counter, progress, position):
    """All pairs of one program: A B A B ...; returns the record that the tables and the page are
    made of."""
    result = {"program": program, "commands": commands, "stock": [], "artel": []}
    for pair in range(1, options.rounds + 1):
        for side in ("stock", "artel"):
            log = work / f"{program.name}.{side}.{pair}.log"
            if program.produces:
                pathlib.Path(program.produces).unlink(missing_ok=True)

            def tick(elapsed, side=side, pair=pair):
                progress.status(
                    f"{position} {program.name}: pair {pair} of {options.rounds}, {side},"
                    f" {elapsed:.1f} s"
                )

            tick(0)
            # Generous against a busy machine, but a hang must not cost an hour.
            allowed = 60 + 20 * result["stock"][0].wall if side == "artel" else 300
            run = measure.run_once(commands[side], str(log), counter, allowed, tick)
            if not run.failure:
                run.answer = program.answer(log.read_text(encoding="utf-8", errors="replace"))
            result[side].append(run)
            if run.failure:
                progress.say(
                    f"{position} {program.name}: pair {pair}, {side}: {run.failure}; its output is"
                    f" in {log}"
                )
        if any(result[side][-1].hung for side in ("stock", "artel")):
            break  # a further run would hang again
        if pair == 1 and not result["stock"][0].failure and not result["artel"][0].failure:
            stock, artel = result["stock"][0].wall, result["artel"][0].wall
            same = (
                "same answer"
                if result["stock"][0].answer == result["artel"][0].answer
                else "DIFFERENT ANSWERS"
            )
            progress.say(
                f"{position} {program.name} ({program.title}): first pair {stock:.2f} s /"
                f" {artel:.2f} s, {same}"
            )
    result["complaints"] = agree.disagreements(result["stock"], result["artel"])
    wrong = agree.wrong_runtime(result["stock"], result["artel"], options.null_test)
    if wrong:
        result["complaints"].append(wrong)
    result["summary"] = table.summarize(result)
    return result


def as_json(results, about, options, counter):
    """Everything that was measured, for programs to read; times in seconds, memory in bytes."""
    return {
        "format": 1,
        "written": about["written"],
        "machine": about["machine"],
        "pairs": options.rounds,
        "quick": options.quick,
        "null_test": options.null_test,
        "threads_counted_by": counter.source,
        "programs": [
            {
                "name": result["program"].name,
                "title": result["program"].title,
                "commands": result["commands"],
                "complaints": result["complaints"],
                "summary": result["summary"],
                "runs": {
                    side: [run.as_dict() for run in result[side]] for side in ("stock", "artel")
                },
            }
            for result in results
        ],
    }


def shorten(command):
    """A command as it would be typed in the repository."""
    return [word.replace(str(REPOSITORY) + "/", "") for word in command]


def main(arguments):
    options = parse(arguments)
    # The table has a sign that Latin-1 has not, and names of folders may have any.
    sys.stdout.reconfigure(errors="replace")
    progress = Progress()
    work = options.out / "work"
    try:
        tool, examples = prepare(options, work)
        chosen = programs.all_programs(str(examples), str(work), options.quick)
        if options.only:
            names = options.only.split(",")
            unknown = sorted(set(names) - {program.name for program in chosen})
            if unknown:
                print(
                    f"quickstart: no such program: {', '.join(unknown)};"
                    f" there are {', '.join(program.name for program in chosen)}",
                    file=sys.stderr,
                )
                return 2
            chosen = [program for program in chosen if program.name in names]
        import report  # matplotlib comes with it, and takes a second
    except Missing as error:
        print(f"quickstart: {error}", file=sys.stderr)
        return 3
    except ImportError as error:
        print(
            (
                f"quickstart: {error}; packaging/install-deps examples installs it, call"
                " /usr/bin/python3"
            ),
            file=sys.stderr,
        )
        return 3

    counter = threads.best_counter()
    about = {
        "machine": machine.describe(str(tool)),
        "written": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
    }
    second = "stock again" if options.null_test else "artel run"
    progress.say(
        f"{len(chosen)} programs, {options.rounds} pairs each:"
        f" stock, {second}, stock, {second}, ..."
    )
    progress.say(f"threads: {counter.source}")
    results = []
    for index, program in enumerate(chosen, 1):
        prefix = [] if options.null_test else [str(tool), "run", "--"]
        commands = {"stock": program.command, "artel": prefix + program.command}
        results.append(
            run_program(
                program, commands, options, work, counter, progress, f"[{index}/{len(chosen)}]"
            )
        )
    for result in results:
        result["shown"] = {side: shorten(command) for side, command in result["commands"].items()}

    # Before anything is said of them: the terminal may be gone by now.
    # Whoever is interrupted, or has no room, keeps the old file.
    part = options.out / "results.json.part"
    with open(part, "w", encoding="utf-8") as file:
        json.dump(as_json(results, about, options, counter), file, indent=1)
        file.write("\n")
    part.replace(options.out / "results.json")
    report.write(options.out / "report.html", results, about, options, counter)
    progress.say()
    for line in table.as_text(results, "again" if options.null_test else "artel"):
        progress.say(line)
    progress.say(
        f"Medians; ratio = stock / {'again' if options.null_test else 'artel'}, above 1 where the"
        " latter needed less."
    )
    progress.say(table.verdict(results, options.null_test))
    complaints = [
        f"{result['program'].name}: {text}" for result in results for text in result["complaints"]
    ]
    for complaint in complaints:
        progress.say(f"  {complaint}")
    progress.say(f"Page: {options.out / 'report.html'}   numbers: {options.out / 'results.json'}")
    return 1 if complaints else 0


def interrupted(*_):
    """As Ctrl-C does, so that no measured program stays behind."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup has it
            signal.signal(number, interrupted)
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("\nquickstart: interrupted", file=sys.stderr)
        sys.exit(130)
