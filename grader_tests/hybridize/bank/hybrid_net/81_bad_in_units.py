# The first layer knows the four inputs of the check.
# breaks: 6
# misconception: symbol-is-an-array
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10, in_units=4)
        self.output = nn.Dense(2, in_units=10)

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))
