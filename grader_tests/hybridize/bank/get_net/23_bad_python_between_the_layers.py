# A plain Block around the layers: it cannot become one operation.
# breaks: 1
# misconception: compiled-once
class _Net(nn.Block):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential()
        self.layers.add(nn.Dense(256), nn.Dense(128), nn.Dense(2))

    def forward(self, x):
        x = nd.relu(self.layers[0](x))
        x = nd.relu(self.layers[1](x))
        return self.layers[2](x)


def get_net():
    net = _Net()
    net.initialize()
    return net
