# Hidden layers in a HybridSequential of their own, relu as a HybridLambda.
def _hidden(units):
    part = nn.HybridSequential()
    part.add(nn.Dense(units), nn.HybridLambda('relu'))
    return part


def get_net():
    net = nn.HybridSequential()
    net.add(_hidden(256), _hidden(128), nn.Dense(2, use_bias=True))
    net.initialize()
    return net
