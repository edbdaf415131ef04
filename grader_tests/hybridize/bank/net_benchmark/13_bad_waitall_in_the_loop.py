# Waits in every pass.
# breaks: 3
# misconception: wait-in-the-loop
def benchmark(net, x):
    start = time.time()
    for i in range(1000):
        _ = net(x)
        nd.waitall()
    return time.time() - start
