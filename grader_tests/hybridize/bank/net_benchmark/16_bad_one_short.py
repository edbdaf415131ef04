# range(1, 1000) has 999 numbers.
# breaks: 1
# misconception: work-not-done
def benchmark(net, x):
    start = time.time()
    for i in range(1, 1000):
        _ = net(x)
    nd.waitall()
    return time.time() - start
