"""The paper's figures 3 to 9: how a broadcast depends on the fragments, length and sets of its
queue. By the paper's protocol among processes of `artel`."""
from __future__ import annotations

import paper_model as model
import paper_shapes as shapes
from paper_records import KI, MESSAGES, MI, curve, in_times_of, in_times_of_least, pages, record
from paper_trial import Bench, case, times_of

SHORTER = [2**n for n in range(10, 21)]


def figure3(bench: Bench) -> dict:
    fragment = 8 * KI
    wanted = {"a": (1, 1, 4), "b": (4, 1, 8), "c": (8, 2, 8)}
    cases = [
        case(fragments * fragment, fragment, length, sets=sets)
        for length, sets, fragments in wanted.values()
    ]
    found = bench.artel("trial", "--steps", "-n", str(bench.ranks or 2), "--json", *cases)["cases"]
    bars = {}
    for name, row in zip(wanted, found):
        last = len(row["ranks"]) - 1
        bars[name] = [
            model.Bar(int(rank > 0), s["step"], s["fragment"], s["begin_us"], s["end_us"])
            for rank in (0, last)
            for s in row["ranks"][rank]
        ]
    drawings = [
        {
            "of": of,
            "panel": name,
            "bars": [
                [b.rank, b.step, b.fragment, round(b.begin, 3), round(b.end, 3)] for b in rows[name]
            ],
        }
        for name in wanted
        for of, rows in (("paper", {n: model.diagram(*wanted[n]) for n in wanted}), ("here", bars))
    ]
    return record(
        "The steps of root and leaf: one buffer; four in one set; eight in two",
        {"f": "any", "drawn": "schematically"},
        {"f": fragment, "ranks": bench.ranks or 2},
        shapes.steps(bars),
        [],
        x="µs",
        bars=drawings,
    )


def figure4(bench: Bench) -> dict:
    message, queue = bench.sizes_for([16 * MI], [16 * MI])[0], 4 * MI
    fragments = [n * KI for n in (4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512)]
    ranks = bench.ranks_for(2)
    rows = bench.trial(ranks, [case(message, f, queue // f) for f in fragments])
    own = times_of(rows[0])
    curves = []
    for of, times, m in (("paper", model.PAPER, 16 * MI), ("here", own, message)):
        wide = [512 * n for n in range(2, 129)] if of == "paper" else fragments
        whole = [(f, model.time(times, m, f, queue / f)) for f in wide]
        least = min(y for _, y in whole)
        curves.append(curve("t(m, s), model", of, in_times_of(whole, least), "t"))
        for name, line in (
            ("⌈m/b⌉ t_C", [(f, model.refills(times, m, f, queue)) for f in wide]),
            ("⌈m/f⌉ t_W", [(f, model.notifications(times, m, f)) for f in wide]),
        ):
            curves.append(curve(name, of, in_times_of(line, least), "its terms"))
    measured = [(f, row["us"]) for f, row in zip(fragments, rows)]
    curves.append(curve("t measured", "here", in_times_of_least(measured), "t"))
    return record(
        "t(m, s) and its two terms that depend on f",
        {
            "m": 16 * MI,
            "b": queue,
            "q": 1,
            "t": "1 ns",
            "t_WO": "100 t",
            "t_A": "10 t",
            "t_W": "50 t",
        },
        {
            "m": message,
            "b": queue,
            "q": 1,
            "ranks": ranks,
            "t_ns": own.byte * 1000,
            "t_WO_ns": own.wait * 1000,
            "t_W_ns": own.notify * 1000,
        },
        shapes.valley(
            measured, model.best_fragment(own, message, queue), "the times measured here"
        ),
        curves,
        "bytes of a fragment",
        "times of the least t",
        measured_us=measured,
    )


def figure5(bench: Bench) -> dict:
    queue, messages = 4 * MI, bench.sizes_for(
        [16 * KI, 32 * KI, 64 * KI], [16 * KI, 32 * KI, 64 * KI]
    )
    fragments = pages(4, 64, 4)
    ranks = bench.ranks_for(16)
    rows = iter(
        bench.trial(ranks, [case(m, f, queue // f, "chain") for m in messages for f in fragments])
    )
    panels = {f"m = {shapes.size(m)}": [(f, next(rows)["us"]) for f in fragments] for m in messages}
    curves = [
        curve("measured", "here", in_times_of_least(points), panel)
        for panel, points in panels.items()
    ]
    curves += [
        curve(
            "model, the paper's parameters",
            "paper",
            in_times_of_least([(f, model.time(model.PAPER, m, f, queue // f)) for f in fragments]),
            f"m = {shapes.size(m)}",
        )
        for m in messages
    ]
    return record(
        "Time against the size of a fragment, b = 4 MiB",
        {
            "m": [16 * KI, 32 * KI, 64 * KI],
            "b": queue,
            "q": 1,
            "tree": "chain",
            "ranks": [8, 16],
            "best f": [8 * KI, 12 * KI],
        },
        {"m": messages, "b": queue, "q": 1, "tree": "chain", "ranks": ranks},
        shapes.good_fragments(panels),
        curves,
        "bytes of a fragment",
        "times of the least t",
        measured_us=panels,
    )


LENGTHS = [2, 4, 8, 16, 32, 64]


def figure6(bench: Bench) -> dict:
    message, fragment = bench.sizes_for([16 * MI], [16 * MI])[0], 8 * KI
    ranks = bench.ranks_for(2)
    rows = bench.trial(ranks, [case(message, fragment, s) for s in [1, *LENGTHS]])
    alone, *longer = (row["us"] for row in rows)
    own, measured = times_of(rows[0]), list(zip(LENGTHS, longer))
    curves = [curve("t measured", "here", in_times_of(measured, alone))]
    for of, times, m in (("paper", model.PAPER, 16 * MI), ("here", own, message)):
        line = [(s, model.time(times, m, fragment, s)) for s in LENGTHS]
        base = model.time(times, m, fragment, 1)
        curves.append(curve("t(m, s), model", of, in_times_of(line, base)))
    return record(
        "Time against the length of the queue",
        {"m": 16 * MI, "f": fragment, "q": 1},
        {"m": message, "f": fragment, "q": 1, "ranks": ranks},
        shapes.falling(measured, alone),
        curves,
        "buffers of the queue",
        "times of t(m, s = 1)",
        measured_us=[(1, alone), *measured],
    )


def figure7(bench: Bench) -> dict:
    fragment, messages = 8 * KI, bench.sizes_for(MESSAGES, SHORTER)
    ranks = bench.ranks_for(8)
    lengths = [1, *LENGTHS]
    rows = iter(bench.trial(ranks, [case(m, fragment, s) for m in messages for s in lengths]))
    found = {m: [next(rows)["us"] for _ in lengths] for m in messages}
    ratios = {
        s: [(m, found[m][i] / found[m][0]) for m in messages]
        for i, s in enumerate(lengths)
        if s > 1
    }
    curves = [curve(f"s = {s}", "here", points) for s, points in ratios.items()]
    curves += [
        curve(f"s = {s}, as the text has it", "paper", points)
        for s, points in ((2, [(16 * KI, 0.7)]), (4, [(32 * KI, 0.57)]))
    ]
    curves += [
        curve(
            f"s = {s}, model",
            "paper",
            [
                (
                    m,
                    model.time(model.PAPER, m, fragment, s)
                    / model.time(model.PAPER, m, fragment, 1),
                )
                for m in messages
            ],
        )
        for s in (2, 4, 64)
    ]
    return record(
        "Time against the message, of queues of s buffers, in times of s = 1",
        {"f": fragment, "q": 1, "tree": "flat", "ranks": 8, "m": [MESSAGES[0], MESSAGES[-1]]},
        {"f": fragment, "q": 1, "tree": "flat", "ranks": ranks, "m": [messages[0], messages[-1]]},
        shapes.pipelined(ratios, fragment),
        curves,
        "bytes of the message",
        "times of s = 1",
    )


def teeth(bench: Bench, measure: bool) -> tuple:
    message, length = bench.sizes_for([16 * MI], [16 * MI])[0], 32
    fragments = pages(8, 260, 12) if measure else [2048 * n for n in range(2, 129)]
    ranks = bench.ranks if bench.ranks is not None else 2
    if not measure:
        own = times_of(bench.trial(ranks, [case(message, 8 * KI, length)])[0])
        return (
            message,
            length,
            fragments,
            ranks,
            own,
            [(f, model.time(own, message, f, length)) for f in fragments],
        )
    rows = bench.trial(ranks, [case(message, f, length) for f in fragments])
    return (
        message,
        length,
        fragments,
        ranks,
        times_of(rows[0]),
        [(f, row["us"]) for f, row in zip(fragments, rows)],
    )


def saw(bench: Bench, measure: bool, title: str) -> dict:
    message, length, fragments, ranks, own, points = teeth(bench, measure)
    paper = [(f, model.time(model.PAPER, 16 * MI, f, length)) for f in fragments]
    rounds = [-(-message // (f * length)) for f in fragments]
    predicted = (
        [model.time(own, message, f, length) for f in fragments]
        if measure
        else [y for _, y in paper]
    )
    curves = [
        curve("model, the paper's parameters", "paper", paper, "the paper's"),
        curve("measured" if measure else "model, the times measured here", "here", points, "here"),
    ]
    if measure:
        curves.append(
            curve("model, the times measured here", "here", list(zip(fragments, predicted)), "here")
        )
    return record(
        title,
        {"m": 16 * MI, "s": length, "q": 1, "ranks": 2},
        {"m": message, "s": length, "q": 1, "ranks": ranks},
        shapes.teeth(points, rounds, predicted),
        curves,
        "bytes of a fragment",
        "µs",
    )


def figure8(bench: Bench) -> dict:
    return saw(bench, False, "The saw tooth of the model, s = 32")


def figure9(bench: Bench) -> dict:
    return saw(bench, True, "The saw tooth measured, s = 32")
