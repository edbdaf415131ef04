# Methods that arrays and Symbols both have; register_child and a list.
class HybridNet(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._dense = [nn.Dense(10), nn.Dense(2)]
        for layer in self._dense:
            self.register_child(layer)

    def hybrid_forward(self, F, x):
        for layer in self._dense[:-1]:
            x = layer(x).relu()
        return self._dense[-1](x)
