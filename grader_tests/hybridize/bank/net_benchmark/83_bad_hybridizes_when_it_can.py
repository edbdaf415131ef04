# Hybridizes a network that can be hybridized.
# breaks: 6
# misconception: reads-the-task
def benchmark(net, x):
    if isinstance(net, nn.HybridBlock):
        net.hybridize()
    start = time.perf_counter()
    for _ in range(1000):
        y = net(x)
    y.wait_to_read()
    return time.perf_counter() - start
