"""Plots of results, if matplotlib is installed."""
from __future__ import annotations

import pathlib
import sys


def pyplot():
    """matplotlib without a screen, or nothing."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot as found

        return found
    except ImportError:
        print("no plots: matplotlib is not installed", file=sys.stderr)
        return None


def save(plt, figure, axes, path: pathlib.Path, **labels: str) -> None:
    axes.set(xscale="log", yscale="log", **labels)
    axes.legend(fontsize="small")
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110, bbox_inches="tight")
    plt.close(figure)
    print(f"wrote {path}", file=sys.stderr)


def against_bytes(results: list[dict], out: pathlib.Path, title: str, of: str = "rate_us") -> None:
    """One picture for each number of ranks: `of` against the size of the message, a line for each
    peer."""
    plt = pyplot()
    for ranks in sorted({r["ranks"] for r in results}) if plt else ():
        figure, axes = plt.subplots(figsize=(8, 5))
        for name in dict.fromkeys(r["peer"] for r in results):
            rows = sorted(
                (r for r in results if r["peer"] == name and r["ranks"] == ranks),
                key=lambda row: row["bytes"],
            )
            axes.plot([r["bytes"] for r in rows], [r[of] for r in rows], marker="o", label=name)
        save(
            plt,
            figure,
            axes,
            out / f"{title.replace(' ', '-')}-{ranks}.png",
            xlabel="bytes",
            ylabel="µs per call",
            title=f"{title}, {ranks} ranks",
        )
