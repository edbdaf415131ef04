# The second layer has no bias.
# breaks: 1
# kills: test_layers, test_values, test_values_after_hybridize, test_symbol
# misconception: reads-the-task
class HybridNet(nn.HybridBlock):
    """Dense layer with 10 outputs, relu, dense layer with 2 outputs."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(10)
        self.output = nn.Dense(2, use_bias=False)

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.hidden(x)))
