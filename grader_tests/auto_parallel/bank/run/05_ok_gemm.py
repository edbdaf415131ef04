# The same product by another operator, and a print of something that needs no numbers.
def run(x):
    n = 10
    print('enqueue', n, 'products of shape', x.shape, 'on', x.context)
    out = [None] * n
    while n:
        n -= 1
        out[n] = nd.linalg.gemm2(x, x)
    return out
