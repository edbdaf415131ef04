# forward instead of hybrid_forward: Python runs at every call.
# breaks: 3
# misconception: compiled-once
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def forward(self, x):
        h = nd.relu(self.hidden(x)) + 1
        y = self.output(h)
        return y / y.abs().max()
