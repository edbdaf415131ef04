# The root of the largest square, broadcast to the shape of y before dividing.
def _largest(F, y):
    return F.sqrt(F.max(F.square(y), axis=(0, 1), keepdims=True))


class FixedNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden = nn.Dense(8)
        self.output = nn.Dense(3)

    def hybrid_forward(self, F, x):
        h = F.Activation(self.hidden(x), act_type='relu')
        h = F.elemwise_add(h, F.ones_like(h))
        y = self.output(h)
        scale = F.broadcast_like(_largest(F, y), y)
        return y / scale
