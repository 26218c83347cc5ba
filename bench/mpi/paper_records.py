"""The record of an experiment of the paper: curves of the paper and of this machine, the parameters
of both, and sentences on them. Plain data, kept as JSON."""
from __future__ import annotations

import paper_model as model
import paper_shapes as shapes

KI, MI = model.KI, model.MI
MESSAGES = [2**n for n in range(6, 25)]  # -msglog 6:24


def curve(name: str, of: str, points: list, panel: str = "") -> dict:
    """`of` is "paper" or "here"."""
    return {"name": name, "of": of, "panel": panel, "points": [[x, round(y, 4)] for x, y in points]}


def in_times_of(points: list, base: float) -> list:
    return [(x, y / base) for x, y in points]


def in_times_of_least(points: list) -> list:
    """Scales a curve by its least value, so that those of machines of different speed can be
    compared."""
    return in_times_of(points, min(y for _, y in points))


def record(
    title: str,
    paper: dict,
    here: dict,
    verdict: shapes.Verdict,
    curves: list[dict],
    x: str = "",
    y: str = "",
    **more,
) -> dict:
    found, sentence = verdict
    return {
        "title": title,
        "paper_parameters": paper,
        "parameters": here,
        "holds": found,
        "sentence": sentence,
        "x": x,
        "y": y,
        "curves": curves,
        **more,
    }


def pages(first: int, last: int, step: int) -> list[int]:
    return list(range(first * KI, last * KI + 1, step * KI))
