# Relu as F.maximum, layers in a sequential child.
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.layers = nn.HybridSequential()
            self.layers.add(nn.Dense(10), nn.HybridLambda(lambda F, h: F.maximum(h, 0)), nn.Dense(2))

    def hybrid_forward(self, F, x):
        return self.layers(x)
