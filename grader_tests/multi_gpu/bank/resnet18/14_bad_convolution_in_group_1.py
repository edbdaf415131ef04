# All groups are made alike: group 1 also has a 1 x 1 convolution.
# breaks: 4
# misconception: reads-the-task
def resnet18(num_classes):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(), nn.Activation('relu'))
    net.add(Residual(64, use_1x1conv=True), Residual(64))
    for num_channels in (128, 256, 512):
        net.add(Residual(num_channels, use_1x1conv=True, strides=2), Residual(num_channels))
    net.add(nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    return net
