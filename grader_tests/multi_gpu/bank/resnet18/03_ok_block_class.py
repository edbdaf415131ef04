# A Block with a forward of its own; the classifier is registered before the body.
class ResNet18(nn.Block):
    def __init__(self, num_classes):
        super().__init__()
        self.classifier = nn.Dense(num_classes)
        self.stem = nn.Conv2D(64, 3, padding=1, use_bias=False)
        self.norm = nn.BatchNorm()
        self.body = nn.Sequential()
        for channels in (64, 128, 256, 512):
            self.body.add(Residual(channels, channels > 64, 2 if channels > 64 else 1), Residual(channels))

    def forward(self, x):
        x = nd.relu(self.norm(self.stem(x)))
        x = self.body(x)
        return self.classifier(x.mean(axis=(2, 3)))


def resnet18(num_classes):
    return ResNet18(num_classes)
