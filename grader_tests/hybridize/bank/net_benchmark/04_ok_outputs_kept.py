# A list of all outputs, then a wait for each of them.
from timeit import default_timer as timer


def benchmark(net, x):
    t0 = timer()
    outputs = [net(x) for _ in range(1000)]
    for output in outputs:
        output.wait_to_read()
    return timer() - t0
