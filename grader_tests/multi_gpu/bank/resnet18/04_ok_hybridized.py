# A name scope, a prefix, relu as a lambda, and hybridized before it is returned.
def resnet18(num_classes):
    net = nn.HybridSequential(prefix='resnet18_')
    with net.name_scope():
        net.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(), nn.HybridLambda('relu'))
        last = 64
        for channels in [64, 64, 128, 128, 256, 256, 512, 512]:
            grows = channels != last
            net.add(Residual(channels, use_1x1conv=grows, strides=1 + grows))
            last = channels
        net.add(nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    net.hybridize()
    return net
