# Waits after each hundred passes, so that the queue stays short.
# breaks: 3
# misconception: wait-in-the-loop
def benchmark(net, x):
    start = time.time()
    for i in range(1000):
        y = net(x)
        if i % 100 == 0:
            y.wait_to_read()
    nd.waitall()
    return time.time() - start
