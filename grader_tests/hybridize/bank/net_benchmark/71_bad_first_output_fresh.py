# Waits for the first output.
# breaks: 4
# kills: test_finished_at_return
# misconception: call-means-done
def benchmark(net, x):
    start = time.perf_counter()
    outputs = [net(x) for _ in range(1000)]
    outputs[0].wait_to_read()
    return time.perf_counter() - start
