"""`artel mpi bench --paper N`: the experiments of Kurnosov and Tokmasheva (2020), figures 3 to 13
and table 1. Each gives a record: curves of the paper and of this machine, and one sentence on
whether the shape holds. The paper's curves are drawn from its formulas with its parameters; of its
measurements, only the numbers that its text states are known."""
from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import sys
from typing import Callable

import paper_model as model
import paper_page
import paper_peers
import paper_queues as queues
import paper_shapes as shapes
from paper_records import KI, MESSAGES, MI, curve, record
from paper_trial import TREES, Bench, Failed, case


def figure10(bench: Bench) -> dict:
    fragment, length, messages = (
        8 * KI,
        64,
        bench.sizes_for(MESSAGES, [64, 1 * KI, 8 * KI, 64 * KI, 256 * KI, 1 * MI]),
    )
    ranks = bench.ranks_for(16, least=4)  # with two ranks all trees are the same
    rows = iter(
        bench.trial(ranks, [case(m, fragment, length, tree) for m in messages for tree in TREES])
    )
    found = {
        m: dict(zip(TREES, (row["us"] for row in (next(rows) for _ in TREES)))) for m in messages
    }
    ratios = {tree: [(m, found[m][tree] / found[m]["flat"]) for m in messages] for tree in TREES}
    return record(
        "Trees against the message, in times of flat",
        {
            "s": length,
            "f": fragment,
            "q": 1,
            "ranks": 16,
            "m": [MESSAGES[0], MESSAGES[-1]],
            "best": ["2-ary", "chain"],
        },
        {"s": length, "f": fragment, "q": 1, "ranks": ranks, "m": [messages[0], messages[-1]]},
        shapes.best_tree(ratios),
        [curve(tree, "here", points) for tree, points in ratios.items()],
        "bytes of the message",
        "times of flat",
    )


READ_AHEAD = {
    "protocol": "paper",
    "fragment": "8K",
    "queue": "512K",
    "sets": "1",
    "reserve": "off",  # first touch
    "pages": "off",  # no pages are moved to the right node afterwards
}


def figure11(bench: Bench) -> dict:
    """Shows where pages lie, in memory and in a file of the current folder: only file systems read
    ahead. On one NUMA node there is no effect."""
    nodes = len(list(pathlib.Path("/sys/devices/system/node").glob("node[0-9]*")))
    ranks = bench.ranks or 4
    paper = {"s": 64, "f": 8 * KI, "q": 1, "tree": "2-ary", "ranks": 16, "roots": "in turn"}
    here = {"s": 64, "f": 8 * KI, "q": 1, "ranks": ranks, "NUMA nodes": nodes}
    title = "Reading ahead on and off while the segment is initialised"
    if nodes < 2:
        return record(title, paper, here, (None, "One NUMA node: every page is at home."), [])
    shares: dict[str, float] = {}
    table = [["memory", "reading ahead", "pages", "at home", "elsewhere"]]
    for memory in ("memfd", os.getcwd()):
        for ahead, advice in (("on", "off"), ("off", "on")):
            words = ("check", "-n", str(ranks), "--json")
            row = bench.artel(*words, **READ_AHEAD, memory=memory, random=advice)[0]
            told = {
                key: sum(rank[key] for rank in row["ranks"])
                for key in ("pages", "at_home", "elsewhere")
            }
            place = memory if memory == "memfd" else "a file in the current folder"
            table.append([place, ahead, *map(str, told.values())])
            shares[ahead] = told["at_home"] / max(told["pages"], 1)  # the file's, which comes last
    return record(title, paper, here, shapes.read_ahead(shares), [], table=table)


def table1(bench: Bench) -> dict:
    per_core = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // (os.cpu_count() or 1)
    table = [["f", *(f"s = f/{d}" for d in model.TABLE_DIVISORS)]]
    bands = [["", *("" for _ in model.TABLE_DIVISORS)]]
    for fragment, row in model.table():
        table.append(
            [
                str(fragment),
                *(
                    f"{queue / MI:.4g}" + (" *" if queue <= per_core / 100 else "")
                    for queue, _ in row
                ),
            ]
        )
        bands.append(["", *(name for _, name in row)])
    return record(
        "MiB of a rank's queue by f and s, in three bands",
        {"bands": [model.GREEN, model.YELLOW, model.RED]},
        {"memory per core": per_core, "*": "fits into 1 % of it"},
        shapes.printed([row[0][0] for _, row in model.table()]),
        [],
        table=table,
        bands=bands,
    )


EXPERIMENTS: dict[str, Callable] = {
    "3": queues.figure3,
    "4": queues.figure4,
    "5": queues.figure5,
    "6": queues.figure6,
    "7": queues.figure7,
    "8": queues.figure8,
    "9": queues.figure9,
    "10": figure10,
    "11": figure11,
    "12": paper_peers.figure12,
    "13": paper_peers.figure13,
    "table1": table1,
}


def names(text: str) -> list[str]:
    """What --paper takes: numbers, table1, or all."""
    wanted = list(EXPERIMENTS) if text == "all" else text.split(",")
    if unknown := [word for word in wanted if word not in EXPERIMENTS]:
        raise argparse.ArgumentTypeError(
            f"no such figure: {', '.join(unknown)} (there are {', '.join(EXPERIMENTS)}, and all)"
        )
    return wanted


def add_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("the paper's experiments")
    group.add_argument(
        "--paper",
        type=names,
        metavar="N,...",
        help="figures 3 to 13, table1, or all; --ranks, --sizes, --rounds and --calls change them",
    )
    group.add_argument(
        "--as-paper",
        action="store_true",
        help="with as many ranks and as large messages as the paper, whatever this machine is",
    )
    group.add_argument(
        "--mvapich", type=pathlib.Path, metavar="DIR", help="where MVAPICH is, for figure 12"
    )
    group.add_argument(
        "--imb-openmpi",
        type=pathlib.Path,
        metavar="FILE",
        help="an IMB-MPI1 built for Open MPI, for figure 13",
    )


def keep(found: dict, name: str, out: pathlib.Path) -> None:
    machine = {
        "cpus": os.cpu_count(),
        "kernel": platform.release(),
        "load": round(os.getloadavg()[0], 2),
    }
    document = {"figure": name, "machine": machine, **found}
    (out / f"paper-{name}.json").write_text(json.dumps(document, ensure_ascii=False) + "\n")


def run(options: argparse.Namespace, chosen: dict, tool: pathlib.Path, peers: pathlib.Path) -> int:
    """Does the experiments, keeps each as JSON, and makes the page of all that the folder has."""
    bench = Bench(
        tool,
        options.as_paper,
        options.ranks[0] if options.ranks else None,
        options.sizes,
        options.rounds,
        options.calls,
    )
    options.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    for name in options.paper:
        print(f"the paper's {'table 1' if name == 'table1' else f'figure {name}'}", file=sys.stderr)
        try:
            beside = (chosen, peers, options) if name in ("12", "13") else ()
            found = EXPERIMENTS[name](bench, *beside)
        except Failed as error:
            print(f"artel mpi bench: --paper {name}: {error}", file=sys.stderr)
            failed += 1
            continue
        keep(found, name, options.out)
        print(f"{name:<7} {found['sentence']}", flush=True)
    files = [options.out / f"paper-{name}.json" for name in EXPERIMENTS]
    kept = [json.loads(file.read_text()) for file in files if file.exists()]
    (options.out / "paper.json").write_text(
        json.dumps({"results": kept}, ensure_ascii=False) + "\n"
    )
    paper_page.write(options.out / "paper.html", kept)
    print(f"wrote {options.out / 'paper.html'}", file=sys.stderr)
    return 1 if failed else 0
