# Sequential instead of HybridSequential: each layer stays an operation of its own.
# breaks: 1
# misconception: compiled-once
def get_net():
    net = nn.Sequential()
    net.add(
        nn.Dense(256, activation='relu'),
        nn.Dense(128, activation='relu'),
        nn.Dense(2))
    net.initialize()
    return net
