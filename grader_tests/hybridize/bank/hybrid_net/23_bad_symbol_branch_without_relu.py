# Two branches, and the one for Symbols forgets relu.
# breaks: 5
# misconception: symbol-is-an-array
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        h = self.hidden(x)
        if isinstance(h, nd.NDArray):
            h = nd.relu(h)
        return self.output(h)
