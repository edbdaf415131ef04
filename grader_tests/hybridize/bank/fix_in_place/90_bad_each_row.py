# Divides each row by its own largest value.
# breaks: 1
# misconception: symbol-is-an-array
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybrid_forward(self, F, x):
        y = self.output(F.relu(self.hidden(x)) + 1)
        return F.broadcast_div(y, F.max(F.abs(y), axis=1, keepdims=True))
