# The activation is cut off at 6.
# breaks: 3
# misconception: reads-the-task
def get_net():
    def relu6(F, x):
        return F.clip(x, 0, 6)

    net = nn.HybridSequential()
    net.add(nn.Dense(256), nn.HybridLambda(relu6), nn.Dense(128), nn.HybridLambda(relu6), nn.Dense(2))
    return net
