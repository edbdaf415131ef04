# The name of F is printed, relu is a product with a comparison.
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10, prefix='hidden_')
        self.output = nn.Dense(2, prefix='output_')

    def hybrid_forward(self, F, x):
        kind = 'NDArray' if F is nd else 'Symbol'
        print('working with', kind, file=sys.stderr)
        h = self.hidden(x)
        h = h * (h > 0)
        return self.output(h)
