# Prints the seconds and returns nothing.
# breaks: 5
# misconception: clock-sees-the-work
def benchmark(net, x):
    start = time.time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    print('%.4f sec' % (time.time() - start))
