# A Block instead of the HybridBlock: nothing breaks, and nothing is hybridized.
# breaks: 3
# misconception: compiled-once
class FixedNet(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def forward(self, x):
        h = self.hidden(x)
        h[:] = nd.relu(h)
        h += 1
        y = self.output(h)
        return y / float(numpy.abs(y.asnumpy()).max())
