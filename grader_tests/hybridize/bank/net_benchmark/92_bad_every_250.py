# Waits after every 250 passes.
# breaks: 3
# misconception: wait-in-the-loop
def benchmark(net, x):
    start = time.perf_counter()
    for n in range(1000):
        y = net(x)
        if n % 250 == 249:
            y.wait_to_read()
    return time.perf_counter() - start
