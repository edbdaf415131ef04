# One network for all calls.
# breaks: a new network at each call
# misconception: every-call-starts-anew
_net = nn.HybridSequential()
_net.add(
    nn.Dense(256, activation='relu'),
    nn.Dense(128, activation='relu'),
    nn.Dense(2))
_net.initialize()


def get_net():
    return _net
