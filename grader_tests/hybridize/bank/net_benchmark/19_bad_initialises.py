# New weights, to be on the safe side.
# breaks: 6
# misconception: reads-the-task
def benchmark(net, x):
    net.initialize(force_reinit=True)
    start = time.time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    return time.time() - start
