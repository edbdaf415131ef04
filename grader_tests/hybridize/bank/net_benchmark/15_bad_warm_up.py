# One pass before the clock starts.
# breaks: 1
# misconception: work-not-done
def benchmark(net, x):
    net(x).wait_to_read()
    start = time.time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    return time.time() - start
