# In-place lines are fixed, asnumpy is still there.
# breaks: 2
# misconception: symbol-is-an-array
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybrid_forward(self, F, x):
        h = F.relu(self.hidden(x))
        h = h + 1
        y = self.output(h)
        largest = numpy.abs(y.asnumpy()).max()
        return y / float(largest)
