# 128 before 256.
# breaks: 2
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    net.add(
        nn.Dense(128, activation='relu'),
        nn.Dense(256, activation='relu'),
        nn.Dense(2))
    net.initialize()
    return net
