# The layer with 128 outputs is missing.
# breaks: 2
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation='relu'), nn.Dense(2))
    net.initialize()
    return net
