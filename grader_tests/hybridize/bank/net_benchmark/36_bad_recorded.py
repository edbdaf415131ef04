# The passes are recorded for a gradient that nobody computes, as in training.
# breaks: 1
# kills: test_passes
# misconception: work-not-done
from mxnet import autograd


def benchmark(net, x):
    start = time.time()
    with autograd.record():
        for _ in range(1000):
            net(x)
    nd.waitall()
    return time.time() - start
