# A class of its own, made from HybridSequential; one forward pass to fix the shapes.
class _MLP(nn.HybridSequential):
    def __init__(self, *units, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            for number in units[:-1]:
                self.add(nn.Dense(number, activation='relu', flatten=False))
            self.add(nn.Dense(units[-1], flatten=False))


def get_net():
    net = _MLP(256, 128, 2)
    net.initialize(force_reinit=True)
    net(nd.zeros((1, 512)))
    return net
