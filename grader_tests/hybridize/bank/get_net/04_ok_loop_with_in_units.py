# A loop over the sizes, with the sizes of the inputs given; normal weights.
from mxnet import init


def get_net():
    sizes = [512, 256, 128, 2]
    net = nn.HybridSequential()
    for i in range(3):
        act = 'relu' if i < 2 else None
        net.add(nn.Dense(sizes[i + 1], in_units=sizes[i], activation=act))
    net.initialize(init.Normal(sigma=0.01))
    return net
