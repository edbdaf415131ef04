# Another activation.
# breaks: 3
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    net.add(
        nn.Dense(256, activation='sigmoid'),
        nn.Dense(128, activation='sigmoid'),
        nn.Dense(2))
    net.initialize()
    return net
