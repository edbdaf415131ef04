# Every layer on a line of its own.
def resnet18(num_classes):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(channels=64, kernel_size=(3, 3), padding=(1, 1)))
    net.add(nn.BatchNorm())
    net.add(nn.Activation('relu'))
    net.add(Residual(64))
    net.add(Residual(64))
    net.add(Residual(128, True, 2))
    net.add(Residual(128))
    net.add(Residual(256, True, 2))
    net.add(Residual(256))
    net.add(Residual(512, True, 2))
    net.add(Residual(512))
    net.add(nn.GlobalAvgPool2D())
    net.add(nn.Flatten())
    net.add(nn.Dense(num_classes))
    return net
