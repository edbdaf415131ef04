# Flatten in front, as for pictures; for these inputs it does nothing.
# breaks: 2
# kills: test_layers
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    net.add(nn.Flatten(), nn.Dense(256, activation='relu'), nn.Dense(128, activation='relu'), nn.Dense(2))
    return net
