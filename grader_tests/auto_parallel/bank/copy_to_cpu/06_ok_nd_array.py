# nd.array of an NDArray makes a new one; the type has to be named.
def copy_to_cpu(ys):
    return [nd.array(y, ctx=mx.cpu(), dtype=y.dtype) for y in ys]
