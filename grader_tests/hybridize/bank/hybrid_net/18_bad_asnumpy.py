# Prints the mean of the hidden layer.
# breaks: 4
# misconception: symbol-is-an-array
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        h = F.relu(self.hidden(x))
        print('hidden:', h.asnumpy().mean())
        return self.output(h)
