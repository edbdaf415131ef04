# The network comes hybridized, so there is nothing left to compare.
# breaks: 5
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    net.add(
        nn.Dense(256, activation='relu'),
        nn.Dense(128, activation='relu'),
        nn.Dense(2))
    net.initialize()
    net.hybridize()
    return net
