# x is computed already: this waits for nothing.
# breaks: 4
# misconception: call-means-done
def benchmark(net, x):
    start = time.time()
    for i in range(1000):
        y = net(x)
    x.wait_to_read()
    return time.time() - start
