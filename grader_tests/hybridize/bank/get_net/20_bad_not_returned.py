# The return is missing.
# breaks: 6
# misconception: compiled-once
def get_net():
    net = nn.HybridSequential()
    net.add(
        nn.Dense(256, activation='relu'),
        nn.Dense(128, activation='relu'),
        nn.Dense(2))
    net.initialize()
