# Computes the largest number and the hidden layer in half precision.
# breaks: 1
# kills: test_values, test_values_after_hybridize
# misconception: reads-the-task
class FixedNet(nn.HybridBlock):
    """Computes what BrokenNet computes, before and after hybridize()."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybrid_forward(self, F, x):
        h = F.relu(self.hidden(x))
        h = h + 1
        y = self.output(F.cast(F.cast(h, 'float16'), 'float32'))
        return F.broadcast_div(y, F.cast(F.cast(F.max(F.abs(y)), 'float16'), 'float32'))
