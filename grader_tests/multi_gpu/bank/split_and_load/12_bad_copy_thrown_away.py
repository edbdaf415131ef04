# as_in_context gives a new array; here nobody takes it.
# breaks: 4
# misconception: as-in-context
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    m = n // k
    assert m * k == n, 'uneven batch'
    shards = [data[i * m:(i + 1) * m] for i in range(k)]
    for shard, place in zip(shards, ctx):
        shard.as_in_context(place)
    return shards
