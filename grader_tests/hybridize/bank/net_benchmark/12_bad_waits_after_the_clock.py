# The wait comes when the clock is stopped already.
# breaks: 4
# misconception: clock-sees-the-work
def benchmark(net, x):
    start = time.time()
    for i in range(1000):
        _ = net(x)
    seconds = time.time() - start
    nd.waitall()
    return seconds
