# The layers are made once and put into every network: a new box, the same parameters.
# breaks: 4
# misconception: every-call-starts-anew
_layers = [
    nn.Dense(256, activation='relu'),
    nn.Dense(128, activation='relu'),
    nn.Dense(2),
]


def get_net():
    net = nn.HybridSequential()
    net.add(*_layers)
    net.initialize()
    return net
