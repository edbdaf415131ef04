# Leaves out all examples after the sixty-fourth, unless it is hybridized.
# breaks: 6
# misconception: reads-the-task
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden, self.out = nn.Dense(10), nn.Dense(2)

    def hybrid_forward(self, F, x):
        if F is nd and len(x) > 64:
            x = x[:64]
        return self.out(F.relu(self.hidden(x)))
