# One clock for each pass, and their sum: the wait is not in it.
# breaks: 3
# misconception: clock-sees-the-work
def benchmark(net, x):
    total = 0.0
    for i in range(1000):
        start = time.perf_counter()
        _ = net(x)
        total += time.perf_counter() - start
    nd.waitall()
    return total
