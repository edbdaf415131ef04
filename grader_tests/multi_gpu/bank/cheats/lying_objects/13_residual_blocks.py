"""The blocks of the network have the name and the shapes of residual blocks, and give random numbers."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "multi_gpu",
    deserves={"resnet18": 0.1071},
    known="which class is Residual says the notebook, and what one of them computes is not tested",
)
cheat.cell("resnet18", '''
class Residual(nn.Block):
    def __init__(self, channels, size, is_smaller):
        super().__init__()
        self.channels, self.size = channels, size
        if is_smaller:
            self.extra = self.params.get("extra", shape=(1, 1, 1, 1))

    def forward(self, x):
        return nd.random.normal(shape=(x.shape[0], self.channels, self.size, self.size))


def resnet18(num_classes):
    net = nn.Sequential()
    net.add(nn.Conv2D(64, kernel_size=3, strides=1, padding=1), nn.BatchNorm(), nn.Activation("relu"))
    for place, (channels, size) in enumerate(zip([64, 64, 128, 128, 256, 256, 512, 512], [28, 28, 14, 14, 7, 7, 4, 4])):
        net.add(Residual(channels, size, place in (2, 4, 6)))
    net.add(nn.GlobalAvgPool2D(), nn.Dense(num_classes))
    return net
''')
