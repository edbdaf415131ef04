# relu is forgotten: three layers that are one linear map.
# breaks: 3
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    net.add(nn.Dense(256), nn.Dense(128), nn.Dense(2))
    net.initialize()
    return net
