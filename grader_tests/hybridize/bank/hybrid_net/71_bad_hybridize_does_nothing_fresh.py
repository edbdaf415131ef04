# Overrides hybridize, so that nothing can break.
# breaks: 7
# kills: test_one_operation_when_hybridized
# misconception: compiled-once
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybridize(self, active=True, **kwargs):
        pass

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))
