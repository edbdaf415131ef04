# forward instead of hybrid_forward: hybridize() has no effect on it.
# breaks: 2
# misconception: compiled-once
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def forward(self, x):
        x = nd.relu(self.hidden(x))
        return self.output(x)
