# The time of one pass.
# breaks: the time of all passes together
def benchmark(net, x):
    start = time.time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    return (time.time() - start) / 1000
