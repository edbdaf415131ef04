# The blocks are in a plain list, so Gluon does not know them.
# breaks: 3
# misconception: reads-the-task
class ResNet18(nn.Block):
    def __init__(self, num_classes):
        super().__init__()
        self.head = nn.Sequential()
        self.head.add(nn.Conv2D(64, kernel_size=3, padding=1), nn.BatchNorm(), nn.Activation('relu'))
        self.blocks = [Residual(64), Residual(64)]
        for channels in (128, 256, 512):
            self.blocks += [Residual(channels, use_1x1conv=True, strides=2), Residual(channels)]
        self.tail = nn.Sequential()
        self.tail.add(nn.GlobalAvgPool2D(), nn.Dense(num_classes))

    def forward(self, x):
        x = self.head(x)
        for block in self.blocks:
            x = block(x)
        return self.tail(x)


def resnet18(num_classes):
    return ResNet18(num_classes)
