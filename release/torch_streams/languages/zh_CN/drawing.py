"""How the pictures of these notebooks are drawn: lanes of work, and boxes with arrows. You need not read this file.

A picture has a text that says the same, for readers who cannot see it. While your work is graded nothing is drawn.
"""

import base64
import functools
import io
import itertools
import json
import os
import warnings
from html import escape
from pathlib import Path

try:
    from IPython.display import display
except ImportError:  # plain Python: no pictures
    display = print

GRADING = "NBGRADER_EXECUTION" in os.environ
GREY, BLUE, ORANGE, GREEN, PURPLE = COLORS = ["#eeeeee", "#9ecae1", "#fdae6b", "#c7e9c0", "#dadaeb"]

# The first has no Chinese; of the others, one is there on most systems.
FONTS = [
    "DejaVu Sans",
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "PingFang SC", "WenQuanYi Micro Hei", "SimHei"),
]


class Picture:
    """A figure with its words: a notebook shows it as an image that has them for its text, everything else as text."""

    def __init__(self, figure, words):
        self.words = _plain(words)
        with warnings.catch_warnings():
            warnings.filterwarnings("error", "Glyph", UserWarning)
            try:
                self.svg = _svg(figure, letters="path")
            except UserWarning:  # no font has these words: they stay text, which the reader's browser has fonts for
                warnings.filterwarnings("ignore", "Glyph", UserWarning)
                self.svg = _svg(figure, letters="none")

    def __repr__(self):
        return self.words

    def _repr_html_(self):
        source = base64.b64encode(self.svg).decode()
        return f'<img alt="{escape(self.words)}" style="max-width:100%" src="data:image/svg+xml;base64,{source}">'


def _svg(figure, letters):
    from matplotlib import rc_context

    file = io.BytesIO()
    with rc_context({"svg.fonttype": letters}):
        figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})
    return file.getvalue()


def picture(draw):
    """Decorator of a function that draws a figure and returns its words: shows both, but not while work is graded."""

    @functools.wraps(draw)
    def drawn(*arguments, **keywords):
        if GRADING:
            return
        import matplotlib.pyplot as plt
        from matplotlib.font_manager import fontManager

        there = {font.name for font in fontManager.ttflist}
        with plt.rc_context({"font.family": [*(name for name in FONTS if name in there), "sans-serif"]}):
            words = draw(*arguments, **keywords)
            display(Picture(plt.gcf(), words))
            plt.close()

    return drawn


@picture
def draw_lanes(title, lanes, end=None):
    """Draw one row per lane; a lane is a list of boxes (start, length, label). A label "wait ..." is hatched."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(10, 0.6 + 0.6 * len(lanes)))
    for row, (boxes, color) in enumerate(zip(lanes.values(), itertools.cycle(COLORS[1:]))):
        for start, length, label in boxes:
            idle = label.startswith("等待")
            look = {"color": "white" if idle else color, "edgecolor": "grey", "hatch": "////" if idle else None}
            axes.barh(-row, length, left=start, height=0.7, **look)
            back = {"color": "white", "pad": 1} if idle else None
            axes.text(start + length / 2, -row, label, ha="center", va="center", bbox=back)
    axes.set_yticks([-row for row in range(len(lanes))], list(lanes))
    axes.set_xticks([])
    axes.set_xlim(0, end)
    axes.set_xlabel("时间  →", loc="right")
    axes.set_title(title, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    rows = [_row(name, listed(next_box, itertools.starmap(_lasting, boxes))) for name, boxes in lanes.items()]
    return listed(_next_row, [title, *rows])


@picture
def draw_boxes(title, boxes, arrows, size=(10, 2.6)):
    """Draw boxes, name: (x, y, label, color), and arrows (name, name) from one to the other."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=size)
    drawn = {}
    for name, (x, y, label, color) in boxes.items():
        look = {"boxstyle": "round,pad=0.5", "facecolor": color, "edgecolor": "grey"}
        drawn[name] = axes.text(x, y, label, ha="center", va="center", zorder=1, bbox=look).get_bbox_patch()
    xs, ys = zip(*(place[:2] for place in boxes.values()))
    axes.set_xlim(min(xs) - 0.6, max(xs) + 0.6)
    axes.set_ylim(min(ys) - 0.6, max(ys) + 0.6)
    for start, end in arrows:
        ends = {"patchA": drawn[start], "patchB": drawn[end], "shrinkA": 2, "shrinkB": 2}
        look = {"arrowstyle": "-|>", "color": "grey", **ends}
        axes.annotate("", boxes[end][:2], boxes[start][:2], zorder=2, arrowprops=look)
    axes.set_title(title, loc="left")
    axes.axis("off")
    led = {boxes[name][2] for arrow in arrows for name in arrow}
    rows = [_row(row[0], listed(_next_label, row[1:])) for row in _rows(boxes.values()) if not led.issuperset(row)]
    return listed(next_box, [title, *rows, *(_leading(boxes[start][2], boxes[end][2]) for start, end in arrows)])


def _rows(boxes):
    """The labels of boxes, from top to bottom and from left to right."""
    ordered = sorted(boxes, key=lambda box: (-box[1], box[0]))
    return [[label for _, _, label, _ in row] for _, row in itertools.groupby(ordered, key=lambda box: box[1])]


def _lasting(start, length, label):
    end = start + length
    return f"{label}从{start:.4g}到{end:.4g}"


def _leading(start, end):
    return f"一个箭头从{start}指向{end}"


def _row(name, boxes):
    return f"{name}：{boxes}" if boxes else name


def listed(join, parts):
    """Texts in a row; ``join`` has the punctuation between two of them, which depends on the language."""
    return functools.reduce(join, [*parts] or [""])


def next_box(boxes, box):
    """Join the words of two boxes, or of two curves."""
    return f"{boxes}；{box}"


def _next_label(labels, label):
    return f"{labels}、{label}"


def _next_row(rows, row):
    return f"{rows}。{row}"


def _plain(words):
    """Words in one line, without the signs of formulas."""
    return " ".join(words.replace("$", "").split())


def words_of_simgpu():
    """What simgpu's pictures say in the language of these notebooks; nothing for English."""
    about = Path(__file__).parent / "visible" / "check.json"
    return json.loads(about.read_text(encoding="utf-8")).get("simgpu", {}) if about.is_file() else {}
