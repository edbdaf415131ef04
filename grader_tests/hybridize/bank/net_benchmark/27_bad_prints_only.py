# Prints the seconds and returns nothing.
# breaks: returns the seconds
# misconception: clock-sees-the-work
def benchmark(net, x):
    start = time.time()
    for i in range(1000):
        _ = net(x)
    nd.waitall()
    print('%.4f sec' % (time.time() - start))
