"""The page of the results of `cpt bench`."""
import html

# Speed-ups on 48 cores in the prototype's slides: GOMP, TBB, TBB with affinity.
SLIDES = {"sp": (20.96, 18.40, 22.55), "lu": (14.83, 20.00, 20.24), "bt": (15.25, 41.07, 30.86)}


def table(heads, rows):
    cell = lambda x: html.escape(f"{x:.4g}" if isinstance(x, float) else str(x))
    return (
        "<table><tr>"
        + "".join(f"<th>{cell(h)}</th>" for h in heads)
        + "</tr>"
        + "".join("<tr>" + "".join(f"<td>{cell(x)}</td>" for x in r) + "</tr>" for r in rows)
        + "</table>"
    )


def page(result):
    machine = result["machine"]
    out = (
        "<!doctype html><meta charset=utf-8><title>cpt bench</title><style>body{font:15px"
        " sans-serif;max-width:70em;margin:2em auto}table{border-collapse:collapse;margin:1em"
        " 0}td,th{border:1px solid #ccc;padding:.2em"
        " .6em;text-align:right}td:first-child{text-align:left}</style><h1>cpt"
        f" bench</h1><p>{machine['cpus']} CPUs, {machine['nodes']} NUMA nodes,"
        f" {machine['threads']} threads, medians of {machine['rounds']} interleaved rounds; load of"
        f" the machine when it began {machine['load']:.1f}.</p>"
    )
    for geometry, of in result.get("zones", {}).items():
        columns = list(of["seconds"])
        leader = max(columns, key=lambda c: of["best"][c]["speed-up"])
        out += f"<h2>Zones, geometry {geometry}</h2>" + table(
            ["outer x inner, seconds", *columns],
            [
                [s, *(of["seconds"][c][s]["median"] for c in columns)]
                for s in of["seconds"][columns[0]]
            ],
        )
        out += table(
            ["speed-up over one thread", *columns],
            [
                ["best split", *(of["best"][c]["split"] for c in columns)],
                ["speed-up", *(of["best"][c]["speed-up"] for c in columns)],
            ],
        )
        out += (
            f"<p>{html.escape(leader)} is the fastest here, with {of['best'][leader]['split']}; the"
            f" slides, on 48 cores, have {SLIDES[geometry][0]} (GOMP), {SLIDES[geometry][1]} (TBB)"
            f" and {SLIDES[geometry][2]} (TBB affinity).</p>"
        )
    if "together" in result:
        of = result["together"]
        ways = [w for w in next(iter(of.values())) if isinstance(of["gcc"][w], dict)]
        gain = "throughput at once against one after the other"
        leader = max(of, key=lambda c: of[c][gain])
        out += (
            "<h2>Six programs at once</h2>"
            + table(
                ["seconds until all have finished", *of],
                [[w, *(of[c][w]["median"] for c in of)] for w in ways],
            )
            + table(["", *of], [[gain, *(of[c][gain] for c in of)]])
            + f"<p>Run at once, {html.escape(leader)} gains most over running one after the other,"
            f" {100 * (of[leader][gain] - 1):.0f} %; the slides have 40 % on average.</p>"
        )
    return out + "\n"
