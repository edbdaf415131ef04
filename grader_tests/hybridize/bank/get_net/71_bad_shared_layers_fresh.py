# Makes the layers once, and puts them into a new container in each call.
# breaks: 4
# kills: test_new_network_each_time
# misconception: every-call-starts-anew
LAYERS = [nn.Dense(256, activation="relu"), nn.Dense(128, activation="relu"), nn.Dense(2)]


def get_net():
    net = nn.HybridSequential()
    net.add(*LAYERS)
    return net
