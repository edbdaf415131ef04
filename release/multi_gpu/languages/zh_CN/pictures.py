"""The pictures of these notebooks. You need not read this file.

While your work is graded nothing is drawn.
"""

from drawing import BLUE, GREEN, GREY, ORANGE, draw_boxes, draw_lanes, picture

CLASSES = "T恤 裤子 套衫 连衣裙 外套 凉鞋 衬衫 运动鞋 包 短靴".split()
SHARDS = [("批量", "分片1"), ("批量", "分片2"), ("分片1", "local 1"), ("分片2", "local 2")]


def draw_data_parallelism():
    """One training step on two devices, by hand."""
    boxes = {
        "批量": (0, 0.5, "批量\n8个样本", GREY),
        "分片1": (1.2, 1, "分片1\n4个样本", BLUE),
        "分片2": (1.2, 0, "分片2\n4个样本", ORANGE),
        "local 1": (2.6, 1, "前向，反向：\n本地梯度g₁", BLUE),
        "local 2": (2.6, 0, "前向，反向：\n本地梯度g₂", ORANGE),
        "sum 1": (4, 1, "在设备1上：\ng₁ + g₂", BLUE),
        "sum 2": (4, 0, "在设备2上：\ng₁ + g₂", ORANGE),
        "update 1": (5.2, 1, "更新\n副本1", BLUE),
        "update 2": (5.2, 0, "更新\n副本2", ORANGE),
    }
    crossing = [(f"local {one}", f"sum {other}") for one in (1, 2) for other in (1, 2)]
    arrows = [*SHARDS, *crossing, ("sum 1", "update 1"), ("sum 2", "update 2")]
    draw_boxes("两个设备上的一个训练步", boxes, arrows)


def draw_allreduce():
    """Three arrays become their sum, by way of the first device."""
    boxes = {
        "1": (0, 2, "设备1：1", BLUE),
        "2": (0, 1, "设备2：2", ORANGE),
        "3": (0, 0, "设备3：4", GREEN),
        "sum": (1.5, 2, "设备1：1 + 2 + 4 = 7", BLUE),
        "1 after": (3, 2, "设备1：7", BLUE),
        "2 after": (3, 1, "设备2：7", ORANGE),
        "3 after": (3, 0, "设备3：7", GREEN),
    }
    arrows = [*((name, "sum") for name in "123"), *(("sum", f"{name} after") for name in "123")]
    draw_boxes("三个数组的allreduce：在一个设备上相加，再把总和发给所有设备", boxes, arrows, (10, 3.2))


def draw_wait_between():
    """One step on two devices, without and with a wait in the wrong place."""
    orders = [(0, 0.6, "1"), (0.6, 0.6, "2"), (1.2, 0.6, "sum"), (1.8, 0.6, "sgd")]
    lanes = {
        "前端": orders,
        "设备1": [(0.6, 4, "前向，反向"), (5.2, 0.8, "sum"), (6, 1, "sgd")],
        "设备2": [(1.2, 4, "前向，反向"), (5.2, 0.8, "sum"), (6, 1, "sgd")],
    }
    draw_lanes("为两个设备入队，没有等待", lanes, end=11.5)
    late = [(0.6, 4, "等待设备1"), *((start + 4, length, label) for start, length, label in orders[1:])]
    lanes = {
        "前端": [orders[0], *late],
        "设备1": [(0.6, 4, "前向，反向"), (9.2, 0.8, "sum"), (10, 1, "sgd")],
        "设备2": [(5.2, 4, "前向，反向"), (9.2, 0.8, "sum"), (10, 1, "sgd")],
    }
    draw_lanes("在两个设备之间等待", lanes, end=11.5)


def draw_residual():
    """The two paths of a residual block."""
    boxes = {
        "X": (0, 0.5, "X", GREY),
        "conv1": (1.1, 1, "3 x 3卷积\n批量归一化\nrelu", BLUE),
        "conv2": (2.3, 1, "3 x 3卷积\n批量归一化", BLUE),
        "conv3": (1.7, 0, "跨层连接：什么都没有，\n或者一个1 x 1卷积", ORANGE),
        "sum": (3.4, 0.5, "+", GREY),
        "relu": (4.1, 0.5, "relu", GREY),
    }
    arrows = [("X", "conv1"), ("conv1", "conv2"), ("conv2", "sum"), ("X", "conv3"), ("conv3", "sum"), ("sum", "relu")]
    draw_boxes("一个残差块", boxes, arrows)


def draw_trainer():
    """One training step on two devices, with Gluon's Trainer."""
    boxes = {
        "批量": (0, 0.5, "批量", GREY),
        "分片1": (1.1, 1, "分片1", BLUE),
        "分片2": (1.1, 0, "分片2", ORANGE),
        "local 1": (2.5, 1, "前向，反向：\n本地梯度g₁", BLUE),
        "local 2": (2.5, 0, "前向，反向：\n本地梯度g₂", ORANGE),
        "step": (4.1, 0.5, "trainer.step:\ng₁ + g₂，然后更新", GREEN),
        "副本1": (5.5, 1, "副本1", BLUE),
        "副本2": (5.5, 0, "副本2", ORANGE),
    }
    arrows = [*SHARDS, ("local 1", "step"), ("local 2", "step"), ("step", "副本1"), ("step", "副本2")]
    draw_boxes("用Gluon在两个设备上做一个训练步", boxes, arrows)


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
    return "衣物小图，从左到右：" + ", ".join(names)
