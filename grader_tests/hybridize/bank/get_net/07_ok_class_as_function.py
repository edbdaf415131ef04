# get_net is a class of its own, called like a function; activations by position.
class get_net(nn.HybridSequential):
    def __init__(self):
        super().__init__()
        self.add(nn.Dense(256, "relu"), nn.Dense(128, "relu"))
        self.add(nn.Dense(2))
