# hybridize() fails with nd.relu, so it is switched off.
# breaks: 7
# misconception: compiled-once
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybridize(self, *args, **kwargs):
        pass

    def hybrid_forward(self, F, x):
        return self.output(nd.relu(self.hidden(x)))
