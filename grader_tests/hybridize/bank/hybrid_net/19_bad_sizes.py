# 2 and 10 are swapped.
# breaks: 1
# misconception: reads-the-task
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(2)
        self.output = nn.Dense(10)

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))
