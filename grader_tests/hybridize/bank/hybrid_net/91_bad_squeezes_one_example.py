# The output for one example has one axis only.
# breaks: 6
# kills: test_values, test_values_after_hybridize
# misconception: reads-the-task
class HybridNet(nn.HybridBlock):
    """Dense layer with 10 outputs, relu, dense layer with 2 outputs."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2)

    def hybrid_forward(self, F, x):
        return F.squeeze(self.output(F.relu(self.hidden(x))))
