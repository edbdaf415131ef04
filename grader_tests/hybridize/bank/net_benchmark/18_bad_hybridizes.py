# benchmark hybridizes the net it is given.
# breaks: 6
# misconception: reads-the-task
def benchmark(net, x):
    net.hybridize()
    start = time.time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    return time.time() - start
