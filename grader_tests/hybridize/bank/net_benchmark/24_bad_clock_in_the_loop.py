# The clock starts again in every pass.
# breaks: 3
# misconception: clock-sees-the-work
def benchmark(net, x):
    for i in range(1000):
        start = time.time()
        _ = net(x)
    nd.waitall()
    return time.time() - start
