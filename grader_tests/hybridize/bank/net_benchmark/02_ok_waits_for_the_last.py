# perf_counter, and a wait for the last output; the queue is empty before the clock starts.
def benchmark(net, x):
    nd.waitall()
    begin = time.perf_counter()
    for _ in range(1000):
        y = net(x)
    y.wait_to_read()
    end = time.perf_counter()
    return end - begin
