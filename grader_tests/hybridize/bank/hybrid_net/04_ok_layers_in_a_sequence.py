# The layers are in a HybridSequential; Activation with F.
class HybridNet(nn.HybridBlock):
    def __init__(self, hidden=10, outputs=2, **kwargs):
        super().__init__(**kwargs)
        self.layers = nn.HybridSequential(prefix="")
        self.layers.add(nn.Dense(hidden), nn.Dense(outputs))

    def hybrid_forward(self, F, x, *args, **kwargs):
        first, second = self.layers[0], self.layers[1]
        return second(F.Activation(first(x), act_type="relu"))
