# Clears x when it is no longer needed.
# breaks: 7
# kills: test_leaves_the_net
# misconception: reads-the-task
def benchmark(net, x):
    start = time.perf_counter()
    for _ in range(1000):
        y = net(x)
    y.wait_to_read()
    seconds = time.perf_counter() - start
    x[:] = 0
    return seconds
