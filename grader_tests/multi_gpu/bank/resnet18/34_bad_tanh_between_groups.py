# An activation between the groups.
# breaks: 3
# misconception: reads-the-task
def resnet18(num_classes):
    net = nn.Sequential()
    net.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(), nn.Activation('relu'))
    for i, channels in enumerate((64, 128, 256, 512)):
        net.add(Residual(channels, use_1x1conv=i > 0, strides=2 if i else 1), Residual(channels))
        if channels < 512:
            net.add(nn.Activation('tanh'))
    net.add(nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    return net
