# One network for all calls.
# breaks: 4
# misconception: every-call-starts-anew
_net = nn.HybridSequential()
_net.add(
    nn.Dense(256, activation='relu'),
    nn.Dense(128, activation='relu'),
    nn.Dense(2))
_net.initialize()


def get_net():
    return _net
