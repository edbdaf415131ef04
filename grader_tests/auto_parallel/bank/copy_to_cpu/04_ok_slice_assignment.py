# Assignment to all elements of a new array enqueues a copy.
def copy_to_cpu(ys):
    out = []
    for y in ys:
        z = nd.zeros(y.shape, ctx=host, dtype=y.dtype)
        z[:] = y
        out.append(z)
    return out
