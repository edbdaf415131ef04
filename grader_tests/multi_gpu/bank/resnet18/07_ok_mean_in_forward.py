# A Block with one attribute for each group; no bias in the first convolution; relu and mean as functions of nd.
class ResNet18(nn.Block):
    def __init__(self, num_classes, **kwargs):
        super().__init__(**kwargs)
        self.conv = nn.Conv2D(64, 3, strides=1, padding=1, in_channels=1, use_bias=False)
        self.norm = nn.BatchNorm(in_channels=64)
        self.group1 = self.group(64, first=True)
        self.group2 = self.group(128)
        self.group3 = self.group(256)
        self.group4 = self.group(512)
        self.scores = nn.Dense(num_classes)

    @staticmethod
    def group(num_channels, first=False):
        blocks = nn.Sequential()
        blocks.add(Residual(num_channels) if first else Residual(num_channels, True, 2), Residual(num_channels))
        return blocks

    def forward(self, X):
        X = nd.relu(self.norm(self.conv(X)))
        for group in (self.group1, self.group2, self.group3, self.group4):
            X = group(X)
        return self.scores(X.mean(axis=(2, 3)))


def resnet18(num_classes):
    return ResNet18(num_classes)
