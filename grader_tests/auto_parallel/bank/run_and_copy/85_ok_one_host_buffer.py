# All products first; each goes through one buffer on the host, and is copied from there.
def run_and_copy(x):
    ys = run(x)
    copies = []
    for y in ys:
        z = nd.empty(y.shape, mx.cpu(0), dtype=y.dtype)
        z[:] = y
        copies.append(z)
    [z.asnumpy() for z in copies]
    return copies
