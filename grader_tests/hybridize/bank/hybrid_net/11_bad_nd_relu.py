# nd.relu instead of F.relu: only for NDArrays.
# breaks: 4
# misconception: symbol-is-an-array
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        x = nd.relu(self.hidden(x))
        return self.output(x)
