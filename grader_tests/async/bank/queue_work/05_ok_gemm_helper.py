# A helper function, another operator for the same product, the sum axis by axis.
def _square(m):
    return nd.linalg.gemm2(m, m)


def queue_work(x):
    y = _square(x)
    for _ in range(2):
        y = y.sum(axis=0)
    return y
