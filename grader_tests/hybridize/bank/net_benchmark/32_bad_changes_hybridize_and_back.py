# Hybridizes for the measurement, and takes it back at the end.
# breaks: 6
# misconception: reads-the-task
def benchmark(net, x):
    net.hybridize()
    start = time.time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    seconds = time.time() - start
    net.hybridize(False)
    return seconds
