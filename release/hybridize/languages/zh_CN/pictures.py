"""The pictures of this notebook. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import BLUE, GREEN, GREY, ORANGE, draw_boxes, draw_lanes


def draw_fancy_func():
    """The three additions of fancy_func, and their dependencies."""
    boxes = {name: (place, 2, name, GREY) for place, name in enumerate("abcd")}
    boxes |= {"e": (0.5, 1, "e = a + b", BLUE), "f": (2.5, 1, "f = c + d", BLUE), "g": (1.5, 0, "g = e + f", BLUE)}
    arrows = [("a", "e"), ("b", "e"), ("c", "f"), ("d", "f"), ("e", "g"), ("f", "g")]
    draw_boxes("fancy_func", boxes, arrows, size=(6, 3))


def draw_collapse():
    """A program that becomes shorter and shorter."""
    boxes = {
        "whole": (0, 0.5, "add, fancy_func,\nprint(fancy_func(1, 2, 3, 4))\n五次调用，保留 e 和 f", GREY),
        "inline": (1.6, 0.5, "print((1 + 2) + (3 + 4))\n一次调用，没有名字", BLUE),
        "folded": (2.9, 0.5, "print(10)\n没有需要计算的了", GREEN),
    }
    draw_boxes("编译器可以把它变成什么", boxes, [("whole", "inline"), ("inline", "folded")], size=(10, 1.8))


def draw_history():
    """Which library came when, and which of the two ways it took: from left to right in time."""
    libraries = {
        ("命令式", 2, ORANGE): {"Chainer": (2.2, 2015), "PyTorch": (3.2, 2017)},
        ("两者", 1, GREEN): {
            "MXNet": (2.2, 2015),
            "Gluon": (3.2, 2017),
            "JAX": (4.2, 2018),
            "TensorFlow 2": (5.3, 2019),
            "PyTorch 2": (6.6, 2023),
        },
        ("符号式", 0, BLUE): {"Theano": (1, 2010), "TensorFlow": (2.2, 2015)},
    }
    boxes = {}
    for (way, y, color), row in libraries.items():
        boxes[way] = (0, y, way, "white")
        boxes |= {name: (x, y, f"{name}\n{year}", color) for name, (x, year) in row.items()}
    heirs = [("Theano", "TensorFlow"), ("Chainer", "PyTorch"), ("MXNet", "Gluon")]
    turned = [("TensorFlow", "TensorFlow 2"), ("PyTorch", "PyTorch 2")]
    draw_boxes("两条路汇合", boxes, [*heirs, *turned], size=(10, 4))


def draw_front_end():
    """One pass before and after hybridize."""
    layers = [(0, 2, "Dense 256"), (2, 2, "Dense 128"), (4, 2, "Dense 2")]
    lanes = {"前端": layers, "后端": [(start + 1.7, 0.9, "运行") for start, _, _ in layers]}
    draw_lanes("调用hybridize之前：Python逐层走一遍", lanes, end=8)
    lanes = {"前端": [(0, 1.4, "CachedOp")], "后端": [(1.2, 2.6, "运行程序")]}
    draw_lanes("调用hybridize之后：Python交出整个程序", lanes, end=8)


def draw_export():
    """Two files, and what can read them."""
    boxes = {
        "net": (0, 1, "你的网络\n在Python里", BLUE),
        "program": (1.6, 1.6, "my_net-symbol.json\n程序", GREY),
        "numbers": (1.6, 0.4, "my_net-0000.params\n数值", GREY),
        "python": (3.4, 2, "Python，一个新的进程", GREEN),
        "cpp": (3.4, 1, "C++，在服务器或手机上", GREEN),
        "others": (3.4, 0, "Scala, Java, R, Julia, Perl", GREEN),
    }
    files, readers = ("program", "numbers"), ("python", "cpp", "others")
    arrows = [*(("net", file) for file in files), *((file, reader) for file in files for reader in readers)]
    draw_boxes("导出：写一次，在其他编程语言里读取", boxes, arrows, size=(10, 3))
