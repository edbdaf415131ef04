"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import BLUE, GREEN, GREY, ORANGE, draw_boxes, draw_lanes, picture

CLASSES = "camiseta calça pulôver vestido casaco sandália camisa tênis bolsa bota".split()
SHARDS = [("lote", "fragmento 1"), ("lote", "fragmento 2"), ("fragmento 1", "local 1"), ("fragmento 2", "local 2")]


def draw_data_parallelism():
    """One training step on two devices, by hand."""
    boxes = {
        "lote": (0, 0.5, "lote\n8 exemplos", GREY),
        "fragmento 1": (1.2, 1, "fragmento 1\n4 exemplos", BLUE),
        "fragmento 2": (1.2, 0, "fragmento 2\n4 exemplos", ORANGE),
        "local 1": (2.6, 1, "propagação direta,\nretropropagação:\ngradiente local g₁", BLUE),
        "local 2": (2.6, 0, "propagação direta,\nretropropagação:\ngradiente local g₂", ORANGE),
        "soma 1": (4, 1, "no dispositivo 1:\ng₁ + g₂", BLUE),
        "soma 2": (4, 0, "no dispositivo 2:\ng₁ + g₂", ORANGE),
        "atualiza 1": (5.2, 1, "atualiza a\nréplica 1", BLUE),
        "atualiza 2": (5.2, 0, "atualiza a\nréplica 2", ORANGE),
    }
    crossing = [(f"local {one}", f"soma {other}") for one in (1, 2) for other in (1, 2)]
    arrows = [*SHARDS, *crossing, ("soma 1", "atualiza 1"), ("soma 2", "atualiza 2")]
    draw_boxes("um passo de treinamento em dois dispositivos", boxes, arrows)


def draw_allreduce():
    """Three arrays become their sum, by way of the first device."""
    boxes = {
        "1": (0, 2, "dispositivo 1: 1", BLUE),
        "2": (0, 1, "dispositivo 2: 2", ORANGE),
        "3": (0, 0, "dispositivo 3: 4", GREEN),
        "sum": (1.5, 2, "dispositivo 1: 1 + 2 + 4 = 7", BLUE),
        "1 depois": (3, 2, "dispositivo 1: 7", BLUE),
        "2 depois": (3, 1, "dispositivo 2: 7", ORANGE),
        "3 depois": (3, 0, "dispositivo 3: 7", GREEN),
    }
    arrows = [*((name, "sum") for name in "123"), *(("sum", f"{name} depois") for name in "123")]
    draw_boxes("all-reduce de três arrays: somar em um dispositivo, depois enviar a soma a todos", boxes, arrows, (10, 3.2))


def draw_wait_between():
    """One step on two devices, without and with a wait in the wrong place."""
    orders = [(0, 0.6, "1"), (0.6, 0.6, "2"), (1.2, 0.6, "sum"), (1.8, 0.6, "sgd")]
    lanes = {
        "front-end": orders,
        "dispositivo 1": [(0.6, 4, "propagação direta, retropropagação"), (5.2, 0.8, "sum"), (6, 1, "sgd")],
        "dispositivo 2": [(1.2, 4, "propagação direta, retropropagação"), (5.2, 0.8, "sum"), (6, 1, "sgd")],
    }
    draw_lanes("enfileirar para os dois dispositivos, sem espera", lanes, end=11.5)
    late = [(0.6, 4, "espera pelo dispositivo 1"), *((start + 4, length, label) for start, length, label in orders[1:])]
    lanes = {
        "front-end": [orders[0], *late],
        "dispositivo 1": [(0.6, 4, "propagação direta, retropropagação"), (9.2, 0.8, "sum"), (10, 1, "sgd")],
        "dispositivo 2": [(5.2, 4, "propagação direta, retropropagação"), (9.2, 0.8, "sum"), (10, 1, "sgd")],
    }
    draw_lanes("uma espera entre os dispositivos", lanes, end=11.5)


def draw_residual():
    """The two paths of a residual block."""
    boxes = {
        "X": (0, 0.5, "X", GREY),
        "conv1": (1.1, 1, "conv 3 x 3\nnorm. em lote\nrelu", BLUE),
        "conv2": (2.3, 1, "conv 3 x 3\nnorm. em lote", BLUE),
        "conv3": (1.7, 0, "a conexão de atalho: nada,\nou uma conv 1 x 1", ORANGE),
        "sum": (3.4, 0.5, "+", GREY),
        "relu": (4.1, 0.5, "relu", GREY),
    }
    arrows = [("X", "conv1"), ("conv1", "conv2"), ("conv2", "sum"), ("X", "conv3"), ("conv3", "sum"), ("sum", "relu")]
    draw_boxes("um bloco residual", boxes, arrows)


def draw_trainer():
    """One training step on two devices, with Gluon's Trainer."""
    boxes = {
        "lote": (0, 0.5, "lote", GREY),
        "fragmento 1": (1.1, 1, "fragmento 1", BLUE),
        "fragmento 2": (1.1, 0, "fragmento 2", ORANGE),
        "local 1": (2.5, 1, "propagação direta,\nretropropagação:\ngradiente local g₁", BLUE),
        "local 2": (2.5, 0, "propagação direta,\nretropropagação:\ngradiente local g₂", ORANGE),
        "step": (4.1, 0.5, "trainer.step:\ng₁ + g₂, depois atualiza", GREEN),
        "réplica 1": (5.5, 1, "réplica 1", BLUE),
        "réplica 2": (5.5, 0, "réplica 2", ORANGE),
    }
    arrows = [*SHARDS, ("local 1", "step"), ("local 2", "step"), ("step", "réplica 1"), ("step", "réplica 2")]
    draw_boxes("um passo de treinamento com o Gluon em dois dispositivos", boxes, arrows)


@picture
def draw_clothes(pictures, labels):
    """Draw pictures of Fashion-MNIST with the names of their classes. pictures: (n, 1, 28, 28), labels: (n,)."""
    import matplotlib.pyplot as plt

    _, places = plt.subplots(1, len(labels), figsize=(10, 1.6))
    names = [CLASSES[int(label)] for label in labels]
    for axes, shown, name in zip(places, pictures, names):
        axes.imshow(shown[0], cmap="gray_r")
        axes.set_title(name, fontsize=9)
        axes.axis("off")
    return "pequenas imagens de roupas, da esquerda para a direita: " + ", ".join(names)
