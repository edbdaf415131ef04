# Times one pass, and multiplies by 1,000.
# breaks: 1
# misconception: work-not-done
def benchmark(net, x):
    start = time.time()
    net(x)
    nd.waitall()
    return (time.time() - start) * 1000
