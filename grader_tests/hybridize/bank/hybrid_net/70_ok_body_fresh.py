# The layers are in a HybridSequential; relu as a maximum.
class HybridNet(nn.HybridBlock):
    def __init__(self, hidden=10, classes=2, **kwargs):
        super().__init__(**kwargs)
        self.body = nn.HybridSequential()
        self.body.add(nn.Dense(hidden), nn.HybridLambda(lambda F, h: F.maximum(h, 0)), nn.Dense(classes))

    def hybrid_forward(self, F, *inputs):
        return self.body(inputs[0])
