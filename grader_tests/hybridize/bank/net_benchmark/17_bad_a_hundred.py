# One zero is missing.
# breaks: exactly 1,000 passes
# misconception: work-not-done
def benchmark(net, x):
    start = time.time()
    for i in range(100):
        _ = net(x)
    nd.waitall()
    return time.time() - start
