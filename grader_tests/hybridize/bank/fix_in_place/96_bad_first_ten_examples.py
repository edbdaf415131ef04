# Looks for the largest value in the first ten examples.
# breaks: 1
# misconception: reads-the-task
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybrid_forward(self, F, x):
        y = self.output(F.relu(self.hidden(x)) + 1)
        return F.broadcast_div(y, F.max(F.abs(F.take(y, F.arange(10), mode="clip"))))
