# The second layer has one output more.
# breaks: 4
# misconception: reads-the-task
class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(4)

    def hybrid_forward(self, F, x):
        h = F.relu(self.hidden(x)) + 1
        y = self.output(h)
        return F.broadcast_div(y, F.max(F.abs(y)))
