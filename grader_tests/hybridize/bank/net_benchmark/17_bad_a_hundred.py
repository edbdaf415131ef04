# One zero is missing.
# breaks: 1
# misconception: work-not-done
def benchmark(net, x):
    start = time.time()
    for i in range(100):
        _ = net(x)
    nd.waitall()
    return time.time() - start
