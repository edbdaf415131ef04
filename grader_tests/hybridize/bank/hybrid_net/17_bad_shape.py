# Asks for the shape of x to flatten it.
# breaks: 4
# misconception: symbol-is-an-array
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        x = x.reshape((x.shape[0], -1))
        return self.output(F.relu(self.hidden(x)))
