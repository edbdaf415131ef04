# The time of one pass.
# breaks: 5
# misconception: clock-sees-the-work
def benchmark(net, x):
    start = time.time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    return (time.time() - start) / 1000
