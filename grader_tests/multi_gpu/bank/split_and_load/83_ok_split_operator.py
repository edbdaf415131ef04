# The operator split, and a ValueError.
def split_and_load(data, ctx):
    k = len(ctx)
    if data.shape[0] % k != 0:
        raise ValueError("the batch of %d cannot be split by %d devices" % (data.shape[0], k))
    parts = nd.split(data, num_outputs=k, axis=0) if k > 1 else [data]
    return tuple(part.copyto(c) for part, c in zip(parts, ctx))
