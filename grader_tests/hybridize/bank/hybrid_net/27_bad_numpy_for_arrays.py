# Two branches, both right; the one for NDArrays takes relu with numpy.
# breaks: 4
# kills: test_asks_for_no_numbers
# misconception: symbol-is-an-array
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        h = self.hidden(x)
        if F is nd:
            h[:] = numpy.maximum(h.asnumpy(), 0)
        else:
            h = F.relu(h)
        return self.output(h)
