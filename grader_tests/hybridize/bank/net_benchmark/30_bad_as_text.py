# The seconds as a text.
# breaks: 5
# misconception: clock-sees-the-work
def benchmark(net, x):
    start = time.time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    return '%.4f sec' % (time.time() - start)
