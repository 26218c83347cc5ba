"""The results of `artel mpi model`, as lines and a plot for each number of ranks."""
from __future__ import annotations

import argparse
import json
import subprocess

import plots


def show(options: argparse.Namespace) -> int:
    """Per number of ranks: `artel mpi model`, its result, its table and a plot."""
    tool = options.libraries.resolve().parent / "bin" / "artel"
    options.out.mkdir(parents=True, exist_ok=True)
    for ranks in options.ranks:
        done = subprocess.run(
            [str(tool), "mpi", "model", "-n", str(ranks), "--json"],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            return done.returncode
        (options.out / f"model-{ranks}.json").write_text(done.stdout)
        found = json.loads(done.stdout)
        print(
            f"{ranks} ranks:",
            ", ".join(
                f"{key[:-3]} {found[key]:.4g} ns"
                for key in ("per_byte_ns", "notify_ns", "set_wait_ns", "atomic_ns")
            ),
        )
        for row in found["rows"]:
            print(
                f"{row['bytes']:>9} bytes, f = {row['fragment']:>6}: predicted"
                f" {row['predicted_us']:>9.1f} us, measured {row['measured_us']:>9.1f} us"
            )
        if plt := plots.pyplot():
            figure, axes = plt.subplots(figsize=(8, 5))
            for size in dict.fromkeys(row["bytes"] for row in found["rows"]):
                rows = [row for row in found["rows"] if row["bytes"] == size]
                line = axes.plot(
                    [r["fragment"] for r in rows],
                    [r["measured_us"] for r in rows],
                    marker="o",
                    label=f"{size} bytes, measured",
                )
                axes.plot(
                    [r["fragment"] for r in rows],
                    [r["predicted_us"] for r in rows],
                    "--",
                    color=line[0].get_color(),
                    label="predicted",
                )
            plots.save(
                plt,
                figure,
                axes,
                options.out / f"model-{ranks}.png",
                xlabel="bytes of a fragment",
                ylabel="µs",
                title=f"the paper's protocol, {ranks} ranks",
            )
    return 0
