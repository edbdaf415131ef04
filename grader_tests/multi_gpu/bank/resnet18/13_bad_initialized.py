# The network is initialized, on the host.
# breaks: 7
# misconception: every-call-starts-anew
def resnet18(num_classes):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(), nn.Activation('relu'))
    net.add(Residual(64), Residual(64))
    for num_channels in (128, 256, 512):
        net.add(Residual(num_channels, use_1x1conv=True, strides=2), Residual(num_channels))
    net.add(nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    net.initialize(init=init.Normal(sigma=0.01))
    return net
