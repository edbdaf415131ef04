# For large batches an operation mixes two devices.
# breaks: 9
# kills: test_no_mixing
# misconception: devices-mix
from mxnet import nd


def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    if n % k:
        raise ValueError("cannot be split equally")
    size = n // k
    shards = [data[i * size:(i + 1) * size] for i in range(k)]
    if data.size < 100:
        return [shard.copyto(c) for shard, c in zip(shards, ctx)]
    return [nd.zeros(s.shape, ctx=c, dtype=s.dtype) + s for s, c in zip(shards, ctx)]
