# The function is cached: every call after the first gets the same network.
# breaks: 4
# kills: test_new_network_each_time
# misconception: every-call-starts-anew
from functools import lru_cache


@lru_cache(maxsize=None)
def get_net():
    net = nn.HybridSequential()
    net.add(
        nn.Dense(256, activation='relu'),
        nn.Dense(128, activation='relu'),
        nn.Dense(2))
    net.initialize()
    return net
