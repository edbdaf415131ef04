# All shards go to the first device.
# breaks: 4
# misconception: as-in-context
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    m = n // k
    assert m * k == n, 'uneven batch'
    return [data[i * m:(i + 1) * m].as_in_context(ctx[0]) for i in range(k)]
