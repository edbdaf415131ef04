# Two networks are made at the beginning and handed out in turn.
# breaks: 4
# misconception: every-call-starts-anew
from itertools import cycle


def _make():
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation='relu'))
    net.add(nn.Dense(128, activation='relu'))
    net.add(nn.Dense(2))
    net.initialize()
    return net


_nets = cycle([_make(), _make()])


def get_net():
    return next(_nets)
