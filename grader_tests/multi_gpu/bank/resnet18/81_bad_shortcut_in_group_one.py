# The first block of group 1 also has a 1 x 1 convolution.
# breaks: 4
# kills: test_shortcuts
# misconception: reads-the-task
def resnet18(num_classes):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(), nn.Activation("relu"))
    for i, channels in enumerate((64, 128, 256, 512)):
        net.add(Residual(channels, use_1x1conv=True, strides=2 if i else 1), Residual(channels))
    net.add(nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    return net
