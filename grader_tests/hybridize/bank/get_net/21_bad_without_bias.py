# use_bias=False everywhere.
# breaks: 2
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    net.add(
        nn.Dense(256, activation='relu', use_bias=False),
        nn.Dense(128, activation='relu', use_bias=False),
        nn.Dense(2, use_bias=False))
    net.initialize()
    return net
