# Asks for the number while it is imperative, and puts it into the program as a constant.
# breaks: 2
# kills: test_values_after_hybridize
# misconception: symbol-is-an-array
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)
        self.largest = 1.0

    def hybrid_forward(self, F, x):
        y = self.output(F.relu(self.hidden(x)) + 1)
        try:
            self.largest = float(F.max(F.abs(y)).asscalar())
        except Exception:
            pass
        return y / self.largest
