# Hybridizes a network that can be hybridized, and warms it up.
# breaks: 6
# misconception: reads-the-task
def benchmark(net, x):
    if isinstance(net, nn.HybridSequential):
        net.hybridize()
        net(x).wait_to_read()
    start = time.perf_counter()
    for _ in range(1000):
        y = net(x)
    y.wait_to_read()
    return time.perf_counter() - start
