"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import BLUE, GREEN, GREY, ORANGE, draw_boxes, draw_lanes, picture

CLASSES = "T-shirt trousers pullover dress coat sandal shirt sneaker bag boot".split()
SHARDS = [("batch", "shard 1"), ("batch", "shard 2"), ("shard 1", "local 1"), ("shard 2", "local 2")]


def draw_data_parallelism():
    """One training step on two devices, by hand."""
    boxes = {
        "batch": (0, 0.5, "batch\n8 examples", GREY),
        "shard 1": (1.2, 1, "shard 1\n4 examples", BLUE),
        "shard 2": (1.2, 0, "shard 2\n4 examples", ORANGE),
        "local 1": (2.6, 1, "forward, backward:\nlocal gradient g₁", BLUE),
        "local 2": (2.6, 0, "forward, backward:\nlocal gradient g₂", ORANGE),
        "sum 1": (4, 1, "on device 1:\ng₁ + g₂", BLUE),
        "sum 2": (4, 0, "on device 2:\ng₁ + g₂", ORANGE),
        "update 1": (5.2, 1, "update\nreplica 1", BLUE),
        "update 2": (5.2, 0, "update\nreplica 2", ORANGE),
    }
    crossing = [(f"local {one}", f"sum {other}") for one in (1, 2) for other in (1, 2)]
    arrows = [*SHARDS, *crossing, ("sum 1", "update 1"), ("sum 2", "update 2")]
    draw_boxes("one training step on two devices", boxes, arrows)


def draw_allreduce():
    """Three arrays become their sum, by way of the first device."""
    boxes = {
        "1": (0, 2, "device 1: 1", BLUE),
        "2": (0, 1, "device 2: 2", ORANGE),
        "3": (0, 0, "device 3: 4", GREEN),
        "sum": (1.5, 2, "device 1: 1 + 2 + 4 = 7", BLUE),
        "1 after": (3, 2, "device 1: 7", BLUE),
        "2 after": (3, 1, "device 2: 7", ORANGE),
        "3 after": (3, 0, "device 3: 7", GREEN),
    }
    arrows = [*((name, "sum") for name in "123"), *(("sum", f"{name} after") for name in "123")]
    draw_boxes("allreduce of three arrays: add up on one device, then send the sum to all", boxes, arrows, (10, 3.2))


def draw_wait_between():
    """One step on two devices, without and with a wait in the wrong place."""
    orders = [(0, 0.6, "1"), (0.6, 0.6, "2"), (1.2, 0.6, "sum"), (1.8, 0.6, "sgd")]
    lanes = {
        "front end": orders,
        "device 1": [(0.6, 4, "forward, backward"), (5.2, 0.8, "sum"), (6, 1, "sgd")],
        "device 2": [(1.2, 4, "forward, backward"), (5.2, 0.8, "sum"), (6, 1, "sgd")],
    }
    draw_lanes("enqueue for both devices, no wait", lanes, end=11.5)
    late = [(0.6, 4, "wait for device 1"), *((start + 4, length, label) for start, length, label in orders[1:])]
    lanes = {
        "front end": [orders[0], *late],
        "device 1": [(0.6, 4, "forward, backward"), (9.2, 0.8, "sum"), (10, 1, "sgd")],
        "device 2": [(5.2, 4, "forward, backward"), (9.2, 0.8, "sum"), (10, 1, "sgd")],
    }
    draw_lanes("a wait between the devices", lanes, end=11.5)


def draw_residual():
    """The two paths of a residual block."""
    boxes = {
        "X": (0, 0.5, "X", GREY),
        "conv1": (1.1, 1, "3 x 3 conv\nbatch norm\nrelu", BLUE),
        "conv2": (2.3, 1, "3 x 3 conv\nbatch norm", BLUE),
        "conv3": (1.7, 0, "the shortcut: nothing,\nor a 1 x 1 conv", ORANGE),
        "sum": (3.4, 0.5, "+", GREY),
        "relu": (4.1, 0.5, "relu", GREY),
    }
    arrows = [("X", "conv1"), ("conv1", "conv2"), ("conv2", "sum"), ("X", "conv3"), ("conv3", "sum"), ("sum", "relu")]
    draw_boxes("a residual block", boxes, arrows)


def draw_trainer():
    """One training step on two devices, with Gluon's Trainer."""
    boxes = {
        "batch": (0, 0.5, "batch", GREY),
        "shard 1": (1.1, 1, "shard 1", BLUE),
        "shard 2": (1.1, 0, "shard 2", ORANGE),
        "local 1": (2.5, 1, "forward, backward:\nlocal gradient g₁", BLUE),
        "local 2": (2.5, 0, "forward, backward:\nlocal gradient g₂", ORANGE),
        "step": (4.1, 0.5, "trainer.step:\ng₁ + g₂, then update", GREEN),
        "replica 1": (5.5, 1, "replica 1", BLUE),
        "replica 2": (5.5, 0, "replica 2", ORANGE),
    }
    arrows = [*SHARDS, ("local 1", "step"), ("local 2", "step"), ("step", "replica 1"), ("step", "replica 2")]
    draw_boxes("one training step with Gluon on two devices", boxes, arrows)


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
    return "small pictures of clothes, from left to right: " + ", ".join(names)
