"""What the HTML pages of this repository have in common: one file that needs nothing else, neither
a network nor scripts. Used by ./quickstart and by bench/run. Everything here returns text; callers
write it. Plots want matplotlib; without it have_plots is False."""

import base64
import html
import io

try:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    have_plots = True
except ImportError:
    matplotlib = plt = None
    have_plots = False

STOCK_COLOUR, ARTEL_COLOUR, INK, GRID = "#9aa5b1", "#0b6e99", "#22303c", "#e3e8ee"

# Distinguishable without red against green.
COLOURS = ("#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c564b", "#9467bd")

STYLE = """
body { font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #22303c;
       max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.7rem; margin-bottom: .3rem } h2 { font-size: 1.2rem; margin-top: 2.2rem }
.verdict { font-size: 1.1rem; background: #eef5f9; border-left: 4px solid #0b6e99;
            padding: .7rem 1rem }
.verdict.bad { background: #fdf0ee; border-color: #b3261e }
.scroll { overflow-x: auto }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .55rem; text-align: right; border-bottom: 1px solid #e3e8ee;
         white-space: nowrap }
th:first-child, td:first-child, table.plain td, table.plain th { text-align: left }
table.plain td { white-space: normal }
td.ratio { font-weight: 600 } td.first, th.first { border-left: 1px solid #cfd7df }
td.wrong { color: #b3261e; font-weight: 700 }
figure { margin: 1.2rem 0 } figure img { width: 100%; height: auto }
figcaption { color: #4a5a68; font-size: .95rem }
pre { background: #f5f7f9; padding: .8rem 1rem; overflow-x: auto; font-size: .85rem }
.small { color: #4a5a68; font-size: .92rem }
"""


def text(value):
    """Anything as text inside an element or an attribute."""
    return html.escape(str(value))


def start_plots():
    """The look of all plots; before the first one."""
    plt.rcParams.update(
        {
            "font.size": 10,
            "text.color": INK,
            "axes.labelcolor": INK,
            "xtick.color": INK,
            "ytick.color": INK,
        }
    )
    plt.rcParams["svg.hashsalt"] = "artel"


def image(figure, description):
    """The matplotlib figure as an <img> that carries its SVG inside. Closes the figure."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)
    data = base64.b64encode(buffer.getvalue().encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{text(description)}">'


def figure(picture, sentence):
    """An image with the sentence that says what it shows."""
    return f"<figure>{picture}<figcaption>{text(sentence)}</figcaption></figure>"


def table(rows, plain=False):
    """Rows of cells, the first one the heading; plain: words rather than numbers."""
    head = "".join(f"<th>{text(cell)}</th>" for cell in rows[0])
    body = "\n".join(
        "<tr>" + "".join(f"<td>{text(cell)}</td>" for cell in row) + "</tr>" for row in rows[1:]
    )
    kind = ' class="plain"' if plain else ""
    return f'<div class="scroll"><table{kind}><tr>{head}</tr>\n{body}</table></div>'


def document(title, parts):
    """The whole page."""
    return (
        "\n".join(
            [
                "<!doctype html>",
                (
                    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport"'
                    ' content="width=device-width, initial-scale=1">'
                ),
                f"<title>{text(title)}</title><style>{STYLE}</style></head><body>",
                *parts,
                "</body></html>",
            ]
        )
        + "\n"
    )
