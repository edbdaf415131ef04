# relu also after the last layer.
# breaks: 3
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    for units in (256, 128, 2):
        net.add(nn.Dense(units, activation='relu'))
    net.initialize()
    return net
