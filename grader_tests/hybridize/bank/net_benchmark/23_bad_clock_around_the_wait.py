# The clock starts after the loop.
# breaks: 5
# misconception: clock-sees-the-work
def benchmark(net, x):
    for i in range(1000):
        _ = net(x)
    start = time.time()
    nd.waitall()
    return time.time() - start
