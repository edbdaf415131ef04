# Two buffers on the device in turn, ten arrays on the host.
def run_and_copy(x):
    buffers = [nd.empty(x.shape, ctx=x.context, dtype=x.dtype) for _ in range(2)]
    copies = [nd.empty(x.shape, ctx=mx.cpu(), dtype=x.dtype) for _ in range(10)]
    for i, copy in enumerate(copies):
        y = buffers[i % 2]
        nd.dot(x, x, out=y)
        y.copyto(copy)
    mx.nd.waitall()
    return copies
