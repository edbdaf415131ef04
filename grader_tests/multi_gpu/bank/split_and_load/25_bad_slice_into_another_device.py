# nd.slice_axis writes from one device straight into a buffer on another.
# breaks: 9
# misconception: devices-mix
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    assert n % k == 0, 'uneven batch'
    m = n // k
    shards = []
    for i, c in enumerate(ctx):
        shard = nd.empty((m,) + data.shape[1:], ctx=c, dtype=data.dtype)
        nd.slice_axis(data, axis=0, begin=i * m, end=(i + 1) * m, out=shard)
        shards.append(shard)
    return shards
