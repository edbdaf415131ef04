# The passes run with a new x.
# breaks: 2
# misconception: work-not-done
def benchmark(net, x):
    x = nd.random.normal(shape=x.shape)
    start = time.time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    return time.time() - start
