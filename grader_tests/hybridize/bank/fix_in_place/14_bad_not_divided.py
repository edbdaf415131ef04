# The division is left out, because asnumpy does not work.
# breaks: 1
# misconception: reads-the-task
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybrid_forward(self, F, x):
        h = F.relu(self.hidden(x))
        h = h + 1
        return self.output(h)
