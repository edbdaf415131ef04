# Waits for each output.
# breaks: 3
# misconception: wait-in-the-loop
def benchmark(net, x):
    start = time.perf_counter()
    for i in range(1000):
        net(x).wait_to_read()
    nd.waitall()
    return time.perf_counter() - start
