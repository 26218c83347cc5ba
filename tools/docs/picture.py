"""The picture of the README, as SVG text made from kept results, so that it is the same wherever it
is made."""
import tables

WIDTH, BAR, GAP, LEFT, TOP = 760, 34, 14, 150, 58
COLOURS = {"artel": "#1b7f5c", "other": "#9aa5b1"}
NAMES = {
    "libgomp": "libgomp (gcc 12)",
    "libomp": "libomp (LLVM 19)",
    "libiomp5": "libiomp5 (Intel)",
    "artel": "Artel",
}


def nested():
    """Nested 8×8 loops: the time in multiples of the ideal, one bar for each runtime."""
    found = tables.run("openmp-2cpu-2026-11-22.json")["figures"]["openmp.nested@8"]["results"]
    rows = sorted(((found[name]["median"], name) for name in NAMES), reverse=True)
    scale = (WIDTH - LEFT - 110) / rows[0][0]
    height = TOP + len(rows) * (BAR + GAP) + 34
    out = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
            f' width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="15"'
            ' role="img">'
        ),
        "<title>Nested OpenMP loops under four runtimes</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        (
            '<text x="16" y="28" font-size="17" font-weight="bold" fill="#1f2933">Nested parallel'
            " loops, 8 threads each, on 2 CPUs</text>"
        ),
        (
            '<text x="16" y="47" font-size="13" fill="#52606d">time as a multiple of the ideal (1 ='
            " all CPUs busy with the work alone)</text>"
        ),
    ]
    for row, (value, name) in enumerate(rows):
        top = TOP + row * (BAR + GAP)
        colour = COLOURS["artel" if name == "artel" else "other"]
        weight = ' font-weight="bold"' if name == "artel" else ""
        length = max(value * scale, 3)
        out.append(
            f'<text x="{LEFT - 10}" y="{top + BAR / 2 + 5:g}" text-anchor="end"'
            f' fill="#1f2933"{weight}>{NAMES[name]}</text>'
        )
        out.append(
            f'<rect x="{LEFT}" y="{top}" width="{length:.1f}" height="{BAR}" rx="3"'
            f' fill="{colour}"/>'
        )
        out.append(
            f'<text x="{LEFT + length + 9:.1f}" y="{top + BAR / 2 + 5:g}"'
            f' fill="#1f2933"{weight}>{tables.significant(value)}</text>'
        )
    out.append(
        f'<text x="16" y="{height - 12}" font-size="12" fill="#7b8794">medians of 4 interleaved'
        " rounds; data: bench/results/openmp-2cpu-2026-11-22.json</text>"
    )
    return "\n".join([*out, "</svg>"]) + "\n"
