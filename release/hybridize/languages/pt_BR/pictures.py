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
        "whole": (0, 0.5, "add, fancy_func,\nprint(fancy_func(1, 2, 3, 4))\ncinco chamadas; e, f guardados", GREY),
        "inline": (1.6, 0.5, "print((1 + 2) + (3 + 4))\numa chamada, nenhum nome", BLUE),
        "folded": (2.9, 0.5, "print(10)\nnada mais a calcular", GREEN),
    }
    draw_boxes("o que um compilador pode fazer disso", boxes, [("whole", "inline"), ("inline", "folded")], size=(10, 1.8))


def draw_history():
    """Which library came when, and which of the two ways it took: from left to right in time."""
    libraries = {
        ("imperativo", 2, ORANGE): {"Chainer": (2.2, 2015), "PyTorch": (3.2, 2017)},
        ("os dois", 1, GREEN): {
            "MXNet": (2.2, 2015),
            "Gluon": (3.2, 2017),
            "JAX": (4.2, 2018),
            "TensorFlow 2": (5.3, 2019),
            "PyTorch 2": (6.6, 2023),
        },
        ("simbólico", 0, BLUE): {"Theano": (1, 2010), "TensorFlow": (2.2, 2015)},
    }
    boxes = {}
    for (way, y, color), row in libraries.items():
        boxes[way] = (0, y, way, "white")
        boxes |= {name: (x, y, f"{name}\n{year}", color) for name, (x, year) in row.items()}
    heirs = [("Theano", "TensorFlow"), ("Chainer", "PyTorch"), ("MXNet", "Gluon")]
    turned = [("TensorFlow", "TensorFlow 2"), ("PyTorch", "PyTorch 2")]
    draw_boxes("dois caminhos que se encontram", boxes, [*heirs, *turned], size=(10, 4))


def draw_front_end():
    """One pass before and after hybridize."""
    layers = [(0, 2, "Dense 256"), (2, 2, "Dense 128"), (4, 2, "Dense 2")]
    lanes = {"front-end": layers, "back-end": [(start + 1.7, 0.9, "executa") for start, _, _ in layers]}
    draw_lanes("antes de hybridize: o Python visita cada camada", lanes, end=8)
    lanes = {"front-end": [(0, 1.4, "CachedOp")], "back-end": [(1.2, 2.6, "executa o programa")]}
    draw_lanes("depois de hybridize: o Python entrega o programa inteiro", lanes, end=8)


def draw_export():
    """Two files, and what can read them."""
    boxes = {
        "net": (0, 1, "sua rede\nem Python", BLUE),
        "program": (1.6, 1.6, "my_net-symbol.json\no programa", GREY),
        "numbers": (1.6, 0.4, "my_net-0000.params\nos valores", GREY),
        "python": (3.4, 2, "Python, um novo processo", GREEN),
        "cpp": (3.4, 1, "C++, em um servidor ou celular", GREEN),
        "others": (3.4, 0, "Scala, Java, R, Julia, Perl", GREEN),
    }
    files, readers = ("program", "numbers"), ("python", "cpp", "others")
    arrows = [*(("net", file) for file in files), *((file, reader) for file in files for reader in readers)]
    draw_boxes("export: gravado uma vez, lido em outras linguagens", boxes, arrows, size=(10, 3))
