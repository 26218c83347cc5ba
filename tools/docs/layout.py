"""The folder of the results, and the layout of tables in the pages."""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench/results"
sys.path.insert(0, str(ROOT / "bench"))


def table(head, rows):
    return "".join("| " + " | ".join(row) + " |\n" for row in (head, ["---"] * len(head), *rows))
