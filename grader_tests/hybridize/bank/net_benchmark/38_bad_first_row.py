# The passes run on the first row of x.
# breaks: 2
# kills: test_passes_of_x
# misconception: work-not-done
def benchmark(net, x):
    row = x[:1]
    start = time.time()
    for _ in range(1000):
        y = net(row)
    nd.waitall()
    return time.time() - start
