# Hybridizes the layers of the net one by one.
# breaks: 6
# kills: test_leaves_the_net
# misconception: reads-the-task
def benchmark(net, x):
    for layer in net._children.values():
        layer.hybridize()
    start = time.perf_counter()
    for _ in range(1000):
        net(x)
    nd.waitall()
    return time.perf_counter() - start
