"""The discrete-event model (bench/model) in the report of the loop suite: what distribution, delay
and stealing would cost on machines of 2 to 1024 CPUs, and the model's predictions beside what was
measured here."""

import dataclasses
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
for _folder in (f"{HERE}/../../tools/page", f"{HERE}/../page"):  # in the source tree; installed
    if os.path.exists(_folder):
        sys.path.insert(0, _folder)

from . import runner  # noqa: E402
import page  # noqa: E402  pylint: disable=wrong-import-position


@dataclasses.dataclass(frozen=True)
class Programs:
    """Paths of the programs that the section runs; "" for one that does not exist."""

    simulation: str = ""  # loop-model
    tune: str = ""  # the artel tool


def simulate(program, *arguments):
    """Rows of one run of loop-model. Raises OSError or subprocess.CalledProcessError."""
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/rows.json"
        subprocess.run(
            [program, "--out", out, *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=True,
            timeout=600,
        )
        with open(out, encoding="utf-8") as file:
            return json.load(file)["rows"]


def sweeps(program):
    """All algorithms on all machines, counted on one line and in a tree; the default with several
    fan-outs."""
    rows = simulate(program, "--shape", "balanced,triangle") + simulate(
        program, "--shape", "balanced,triangle", "--count-in-tree"
    )
    return {
        "machines": rows,
        "fan_outs": simulate(
            program,
            "--shape",
            "balanced",
            "--algorithm",
            "static",
            "--fan-out",
            "2,3,4,8,16,0",
            "--count-in-tree",
        ),
    }


def measured_costs(tune):
    """The costs that `artel tune` measures now, in the form that loop-model reads. {} without the
    tool. Raises OSError, ValueError or subprocess.SubprocessError."""
    if not tune or not os.path.exists(tune):
        return {}
    done = subprocess.run(
        [tune, "tune", "--threads", "2", "--runs", "100", "--dry-run", "--json", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
        timeout=600,
        preexec_fn=runner.own_scheduling_group,
    )
    return json.loads(done.stdout)


# Loop starts that are measured: (figure, workers, whether the others sleep).
STARTS = (
    ("cpp.loop-start@2", 2, False),
    ("cpp.loop-start-idle@2/parked", 2, True),
    ("cpp.loop-start@16", 16, False),
    ("loops.scheduling/2@2", 2, False),
    ("loops.scheduling/16@16", 16, False),
)


def predictions(program, figures, cpus, found):
    """[(what, measured ns, least measured ns, predicted ns)] for the loop starts among the figures,
    measured on so many CPUs, with the costs that were found."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        costs = f"{folder}/costs.json"
        with open(costs, "w", encoding="utf-8") as file:
            json.dump(found, file)
        for key, workers, parked in STARTS:
            ours = figures.get(key, {}).get("results", {}).get("artel")
            if ours is None:
                continue
            factor = {"us": 1000, "ns": 1}[ours["unit"]]
            # The measured iterations wait for each other, so no worker runs two: shares are not
            # stolen.
            predicted = simulate(
                program,
                "--machine",
                f"numa:1 l3:1 core:{cpus} pu:1",
                "--workers",
                str(workers),
                "--algorithm",
                "static",
                "--shape",
                "balanced",
                "--per-worker",
                "1",
                "--mean-ns",
                "10",
                "--costs",
                costs,
                *(["--parked"] if parked else []),
            )
            rows.append(
                (key, ours["median"] * factor, ours["min"] * factor, predicted[0]["last_start_ns"])
            )
    return rows


def _curves(rows, value, label, chosen, log):
    figure, axes = page.plt.subplots(figsize=(9, 4.2))
    for name, select in chosen:
        points = sorted((row["cpus"], value(row)) for row in rows if select(row))
        if points:
            axes.plot(
                [x for x, _ in points], [y for _, y in points], marker="o", markersize=3, label=name
            )
    axes.set_xscale("log", base=2)
    if log:
        axes.set_yscale("log")
    axes.set_xlabel("CPUs")
    axes.set_ylabel(label)
    axes.grid(color=page.GRID)
    axes.legend(frameon=False, fontsize=8)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return page.image(figure, label)


def parts(programs, figures, cpus):
    """The section of the page, as a list of elements, for figures from so many CPUs; says so in it
    when the model cannot be run."""
    body = ["<h2>Past this machine: a model</h2>"]
    try:
        found = sweeps(programs.simulation)
        here = measured_costs(programs.tune)
        checked = predictions(programs.simulation, figures, cpus, here)
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        return body + [f"<p>{page.text(f'The model could not be run: {error}')}</p>"]
    body.append(
        "<p>A simulation of the distribution tree, the delays and the stealing, with a cost for"
        " every cache line that changes hands (bench/model). 512 iterations of 100 ns per"
        " worker.</p>"
    )
    if checked:
        body.append(
            page.table(
                [["loop start", "measured, ns: median", "least", "predicted, ns", "to the median"]]
                + [
                    [
                        key,
                        f"{median:.0f}",
                        f"{least:.0f}",
                        f"{predicted:.0f}",
                        f"{predicted / median:.2f}",
                    ]
                    for key, median, least, predicted in checked
                ]
            )
        )
        if here:
            costs = [
                f"{level['notification_ns']:.0f} ns between CPUs of one {level['share']}"
                for level in here["levels"]
            ]
            costs.append(f"{here['yield_ns']:.0f} ns until a CPU has gone to the next thread")
            said = (
                "The predictions take the costs found when the report was made:"
                f" {', '.join(costs)}."
            )
            body.append(f"<p>{page.text(said)}</p>")
    if not page.have_plots:
        return body
    rows = found["machines"]
    for shape in ("balanced", "triangle"):
        figure = _curves(
            rows,
            lambda row: row["finish_ns"] / row["ideal_ns"],
            "time / ideal time",
            [
                (
                    name,
                    lambda row, name=name, shape=shape: row["algorithm"] == name
                    and row["shape"] == shape
                    and row["count_in_tree"],
                )
                for name in dict.fromkeys(row["algorithm"] for row in rows)
            ],
            True,
        )
        last = {
            row["algorithm"]: row["finish_ns"] / row["ideal_ns"]
            for row in rows
            if row["cpus"] == 1024 and row["shape"] == shape and row["count_in_tree"]
        }
        best = min(last, key=last.get)
        body.append(
            page.figure(
                figure,
                (
                    f"{shape.capitalize()} iterations: on 1024 CPUs {best} is nearest to the ideal"
                    f" ({last[best]:.2f} times), today's default takes"
                    f" {last['automatic']:.2f} times and with maps of who has work"
                    f" {last['automatic-map']:.2f} times, one counter {last['counter']:.0f} times"
                    " as long."
                ),
            )
        )
    start = [
        (
            "one line counts all participants",
            lambda row: not row["count_in_tree"]
            and row["algorithm"] == "static"
            and row["shape"] == "balanced",
        ),
        (
            "everybody counts those it invited",
            lambda row: row["count_in_tree"]
            and row["algorithm"] == "static"
            and row["shape"] == "balanced",
        ),
    ]
    figure = _curves(
        rows, lambda row: row["last_start_ns"] / 1000, "start of the last worker, µs", start, True
    )
    body.append(
        page.figure(
            figure,
            (
                "One line that counts all participants is what a loop's start waits for from 64"
                " CPUs on."
            ),
        )
    )
    figure = _curves(
        found["fan_outs"],
        lambda row: row["last_start_ns"] / 1000,
        "start of the last worker, µs",
        [
            (
                "the caller tells all" if k == 0 else f"each tells {k}",
                lambda row, k=k: row["fan_out"] == k,
            )
            for k in (2, 3, 4, 8, 16, 0)
        ],
        True,
    )
    large = {
        row["fan_out"]: row["last_start_ns"] / 1000
        for row in found["fan_outs"]
        if row["cpus"] == 1024
    }
    best = min(large, key=large.get)
    body.append(
        page.figure(
            figure,
            (
                f"How many workers each one tells: on 1024 CPUs {best} is best"
                f" ({large[best]:.1f} µs), 2 takes {large[2]:.1f} µs, and the caller alone"
                f" {large[0]:.0f} µs."
            ),
        )
    )
    return body
