# Methods of the array; a product with the reciprocal.
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybrid_forward(self, F, x):
        y = self.output(self.hidden(x).relu() + 1)
        return F.broadcast_mul(y, 1 / y.abs().max())
