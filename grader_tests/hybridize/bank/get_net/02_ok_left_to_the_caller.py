# Not initialized; one layer after the other.
def get_net():
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"))
    net.add(nn.Dense(128, activation="relu"))
    net.add(nn.Dense(2))
    return net
