# Groups are networks of their own; the widths are powers of two.
def resnet18(num_classes):
    def group(number):
        half, blocks = number > 0, nn.HybridSequential(prefix=f"group{number + 1}_")
        with blocks.name_scope():
            blocks.add(Residual(64 << number, half, 1 + half), Residual(64 << number))
        return blocks

    stem = nn.HybridSequential()
    stem.add(nn.Conv2D(64, (3, 3), (1, 1), (1, 1)), nn.BatchNorm(), nn.HybridLambda("relu"))
    net = nn.HybridSequential()
    net.add(stem, *map(group, range(4)), nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    return net
