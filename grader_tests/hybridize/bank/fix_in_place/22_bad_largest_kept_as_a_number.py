# The largest value is remembered while arrays come, and written into the graph as a constant.
# breaks: 2
# misconception: symbol-is-an-array
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)
        self.largest = 1.0

    def hybrid_forward(self, F, x):
        h = F.relu(self.hidden(x))
        h = h + 1
        y = self.output(h)
        if F is nd:
            self.largest = float(y.abs().max().asscalar())
        return y / self.largest
