# Buffers are made on the devices first, with the type of the batch, and then filled.
def split_and_load(data, ctx):
    size, rest = divmod(data.shape[0], len(ctx))
    if rest:
        raise ValueError('%d examples are left over' % rest)
    buffers = [nd.empty((size,) + data.shape[1:], ctx=c, dtype=data.dtype) for c in ctx]
    for i, buffer in enumerate(buffers):
        buffer[:] = data[i * size:(i + 1) * size]
    return buffers
