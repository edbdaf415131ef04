# In the place of the first relu, a clip that ends at 100.
# breaks: 3
# kills: test_values, test_values_in_training
# misconception: reads-the-task
def get_net():
    net = nn.HybridSequential()
    net.add(nn.Dense(256), nn.HybridLambda(lambda F, x: F.clip(x, 0, 100)), nn.Dense(128, activation="relu"), nn.Dense(2))
    net.initialize()
    return net
