# Skips relu where nothing is negative: an array in an if.
# breaks: 4, 5
# misconception: symbol-is-an-array
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        h = self.hidden(x)
        if h.min() < 0:
            h = F.relu(h)
        return self.output(h)
