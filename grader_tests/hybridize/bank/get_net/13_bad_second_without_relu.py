# relu only after the first layer.
# breaks: 3
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation='relu'), nn.Dense(128), nn.Dense(2))
    net.initialize()
    return net
