# The clock starts after the loop.
# breaks: one clock around all passes
def benchmark(net, x):
    for i in range(1000):
        _ = net(x)
    start = time.time()
    nd.waitall()
    return time.time() - start
