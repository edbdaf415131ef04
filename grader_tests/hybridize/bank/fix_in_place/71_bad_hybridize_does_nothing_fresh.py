# The old code, and a hybridize that does nothing.
# breaks: 3
# kills: test_no_python_on_the_second_call
# misconception: compiled-once
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybridize(self, active=True, **kwargs):
        """It is fast enough as it is."""

    def hybrid_forward(self, F, x):
        h = F.relu(self.hidden(x)) + 1
        y = self.output(h)
        return y / float(numpy.abs(y.asnumpy()).max())
