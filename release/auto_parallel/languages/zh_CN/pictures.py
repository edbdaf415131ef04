"""The pictures of this notebook. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import BLUE, draw_boxes, draw_lanes


def draw_graph():
    """The dependencies in c = a * b + 2."""
    boxes = {
        "a": (0, 1, "a = ones", BLUE),
        "b": (0, 0, "b = ones", BLUE),
        "product": (1.5, 0.5, "a * b", BLUE),
        "sum": (3, 0.5, "+ 2", BLUE),
    }
    draw_boxes("c = a * b + 2", boxes, [("a", "product"), ("b", "product"), ("product", "sum")], size=(7, 2))


def draw_overlap(products=5, t=2.0, c=1.2):
    """Products that take t, and copies that take c, with the waits in three places."""
    end = products * (t + c)

    compute = [(i * t, t, f"y[{i}]") for i in range(products)]
    copy = [(products * t + i * c, c, f"y[{i}]") for i in range(products)]
    draw_lanes("中间有等待：先是所有乘积，然后是所有拷贝", {"compute": compute, "copy": copy}, end)

    compute = [(i * (t + c), t, f"y[{i}]") for i in range(products)]
    copy = [(i * (t + c) + t, c, f"y[{i}]") for i in range(products)]
    draw_lanes("每次拷贝之后等待", {"compute": compute, "copy": copy}, end)

    compute = [(i * t, t, f"y[{i}]") for i in range(products)]
    copy = [((i + 1) * t, c, f"y[{i}]") for i in range(products)]
    draw_lanes("最后等待一次：y[i-1]的拷贝与y[i]重叠", {"compute": compute, "copy": copy}, end)
