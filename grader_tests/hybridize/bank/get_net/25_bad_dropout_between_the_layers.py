# Dropout between the layers, which does nothing outside of training; the net is shown.
# breaks: 2
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation='relu'))
    net.add(nn.Dropout(0.5))
    net.add(nn.Dense(128, activation='relu'))
    net.add(nn.Dropout(0.5))
    net.add(nn.Dense(2))
    net.initialize()
    print(net)
    return net
