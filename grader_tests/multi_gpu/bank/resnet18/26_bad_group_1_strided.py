# Group 1 halves the picture like the others.
# breaks: 3
# misconception: reads-the-task
def resnet18(num_classes):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(), nn.Activation('relu'))
    for num_channels in (64, 128, 256, 512):
        net.add(Residual(num_channels, use_1x1conv=True, strides=2), Residual(num_channels))
    net.add(nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    return net
