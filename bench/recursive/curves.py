"""Seconds over threads as a picture."""
from __future__ import annotations

import math

COLOURS = (
    "#d62728",
    "#1f77b4",
    "#2ca02c",
    "#9467bd",
    "#ff7f0e",
    "#8c564b",
    "#e377c2",
    "#17becf",
    "#7f7f7f",
)


def plot(of: dict[str, dict[str, dict[str, float]]], threads: list[int], title: str) -> str:
    """Seconds over threads, both logarithmic, as SVG."""
    width, height, left, bottom = 760, 420, 60, 40
    values = [c["median"] for f in of.values() for c in f.values()]
    low, high = math.log(min(values) * 0.9), math.log(max(values) * 1.1)
    last = math.log(max(*threads, 2))

    def at(n: int, seconds: float) -> tuple[float, float]:
        return left + math.log(n) / last * (width - left - 200), height - bottom - (
            math.log(seconds) - low
        ) / (high - low) * (height - bottom - 30)

    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
            ' font-family="sans-serif" font-size="12">'
        ),
        (
            f'<rect width="{width}" height="{height}" fill="white"/><text x="{left}"'
            f' y="18">{title}</text>'
        ),
    ]
    for n in threads:
        x, y = at(n, math.exp(low))
        out.append(f'<text x="{x:.0f}" y="{y + 16:.0f}" text-anchor="middle">{n}</text>')
    seconds = 10.0 ** math.floor(math.log10(math.exp(low)))
    while seconds < math.exp(high):
        for step in (1, 2, 5):
            if low <= math.log(seconds * step) <= high:
                x, y = at(1, seconds * step)
                out.append(
                    f'<line x1="{x}" x2="{width - 200}" y1="{y:.1f}" y2="{y:.1f}"'
                    f' stroke="#ddd"/><text x="{x - 6}" y="{y + 4:.1f}"'
                    f' text-anchor="end">{seconds * step:g}</text>'
                )
        seconds *= 10
    for number, (name, f) in enumerate(of.items()):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(
            "{:.1f},{:.1f}".format(*at(n, f[str(n)]["median"])) for n in threads if str(n) in f
        )
        dashed = "" if name.startswith("Artel") else ' stroke-dasharray="5 3"'
        out.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>'
            f'<text x="{width - 190}" y="{40 + 18 * number}" fill="{colour}">{name}</text>'
        )
    return "\n".join([*out, "</svg>", ""])
