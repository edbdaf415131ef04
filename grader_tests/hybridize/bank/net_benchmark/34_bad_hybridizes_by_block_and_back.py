# Block.hybridize instead of the net's own method, and back again at the end.
# breaks: 6
# kills: test_leaves_the_net
# misconception: reads-the-task
def benchmark(net, x):
    nn.Block.hybridize(net, True)
    start = time.time()
    for _ in range(1000):
        y = net(x)
    y.wait_to_read()
    seconds = time.time() - start
    nn.Block.hybridize(net, False)
    return seconds
