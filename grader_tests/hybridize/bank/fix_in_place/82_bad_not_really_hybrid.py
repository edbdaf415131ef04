# Switches hybridize off for this block.
# breaks: 3
# kills: test_no_python_on_the_second_call
# misconception: compiled-once
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybridize(self, active=True, **kwargs):
        self.hidden.hybridize(active, **kwargs)
        self.output.hybridize(active, **kwargs)

    def hybrid_forward(self, F, x):
        y = self.output(F.relu(self.hidden(x)) + 1)
        return y / float(numpy.abs(y.asnumpy()).max())
