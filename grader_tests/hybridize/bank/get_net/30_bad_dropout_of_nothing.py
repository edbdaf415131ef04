# Dropout that is switched off by its rate.
# breaks: 2
# kills: test_layers
# misconception: reads-the-task
def get_net(dropout=0.0):
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation='relu'))
    net.add(nn.Dropout(dropout))
    net.add(nn.Dense(128, activation='relu'))
    net.add(nn.Dropout(dropout))
    net.add(nn.Dense(2))
    return net
