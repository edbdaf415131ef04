# Dense(4) where Dense(10) should be; all else is right.
# breaks: 1
# misconception: reads-the-task
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(4)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))
