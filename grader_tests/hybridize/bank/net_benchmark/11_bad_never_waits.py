# Measures how long it takes to put the passes into the queue.
# breaks: 4
# misconception: call-means-done
def benchmark(net, x):
    start = time.time()
    for i in range(1000):
        _ = net(x)
    return time.time() - start
