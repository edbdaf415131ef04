# A subclass of HybridSequential that fills itself; relu as layers of their own.
class Net(nn.HybridSequential):
    def __init__(self, *widths, **kwargs):
        super().__init__(**kwargs)
        *hidden, last = widths
        with self.name_scope():
            for width in hidden:
                self.add(nn.Dense(width, in_units=0))
                self.add(nn.HybridLambda("relu"))
            self.add(nn.Dense(last))


def get_net():
    return Net(256, 128, 2)
