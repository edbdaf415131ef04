"""How the pictures of these notebooks are drawn: lanes of work, and boxes with arrows. You need not read this file.

While your work is graded nothing is drawn.
"""

import functools
import os

GRADING = "NBGRADER_EXECUTION" in os.environ
GREY, BLUE, ORANGE, GREEN = COLOURS = ["#eeeeee", "#9ecae1", "#fdae6b", "#c7e9c0"]

# The first has no Chinese; of the others, one is there on most systems.
FONTS = [
    "DejaVu Sans",
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Microsoft YaHei", "PingFang SC", "WenQuanYi Micro Hei", "SimHei"),
]


def picture(draw):
    """Decorator of a function that draws: with signs of every language, and not while your work is graded."""

    @functools.wraps(draw)
    def drawn(*arguments, **keywords):
        if GRADING:
            return
        import matplotlib.pyplot as plt
        from matplotlib.font_manager import fontManager

        there = {font.name for font in fontManager.ttflist}
        with plt.rc_context({"font.family": [name for name in FONTS if name in there]}):
            draw(*arguments, **keywords)

    return drawn


@picture
def draw_lanes(title, lanes, end=None):
    """Draw one row per lane; a lane is a list of boxes (start, length, label). A label "wait ..." is hatched."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(10, 0.6 + 0.6 * len(lanes)))
    for row, (boxes, colour) in enumerate(zip(lanes.values(), COLOURS[1:])):
        for start, length, label in boxes:
            idle = label.startswith("等待")
            look = {"color": "white" if idle else colour, "edgecolor": "grey", "hatch": "////" if idle else None}
            axes.barh(-row, length, left=start, height=0.7, **look)
            back = {"color": "white", "pad": 1} if idle else None
            axes.text(start + length / 2, -row, label, ha="center", va="center", bbox=back)
    axes.set_yticks([-row for row in range(len(lanes))], list(lanes))
    axes.set_xticks([])
    axes.set_xlim(0, end)
    axes.set_xlabel("时间  →", loc="right")
    axes.set_title(title, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    plt.show()


@picture
def draw_boxes(title, boxes, arrows, size=(10, 2.6)):
    """Draw boxes, name: (x, y, label, colour), and arrows (name, name) from one to the other."""
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=size)
    drawn = {}
    for name, (x, y, label, colour) in boxes.items():
        look = {"boxstyle": "round,pad=0.5", "facecolor": colour, "edgecolor": "grey"}
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
    plt.show()
