# The batch size of the first example is written into the graph.
# breaks: 6
# misconception: symbol-is-an-array
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        h = self.hidden(x)
        if F is nd:
            return self.output(F.relu(h))
        zeros = F.zeros((2, 10))
        return self.output(F.maximum(h, zeros))
