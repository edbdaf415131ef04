# A print that works for Symbols, relu as maximum with a number.
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybrid_forward(self, F, x):
        a = self.hidden(x)
        b = F.maximum(a, 0)
        c = 1 + b
        print('hidden', c)
        d = self.output(c)
        return F.broadcast_div(d, d.abs().max().reshape((1, 1)))
