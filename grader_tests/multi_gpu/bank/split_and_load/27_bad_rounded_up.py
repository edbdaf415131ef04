# One row more than needed for each shard; the last one gets what is left.
# breaks: 3
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    if k == 1:
        return [data.as_in_context(ctx[0])]
    m = min(n // k + 1, (n - 1) // (k - 1))
    shards = [data[i * m:(i + 1) * m] for i in range(k - 1)] + [data[(k - 1) * m:]]
    return [shard.as_in_context(c) for shard, c in zip(shards, ctx)]
