# The clock starts anew in every pass.
# breaks: one clock around all passes
def benchmark(net, x):
    for i in range(1000):
        start = time.time()
        _ = net(x)
    nd.waitall()
    return time.time() - start
