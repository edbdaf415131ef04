# A subclass of nn.Block, which chooses F by itself.
# breaks: 1
# misconception: compiled-once
class HybridNet(nn.Block):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def forward(self, x):
        return self.hybrid_forward(sym if isinstance(x, sym.Symbol) else nd, x)

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))
