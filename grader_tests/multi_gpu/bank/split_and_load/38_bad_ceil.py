# Shards of the rounded up size; there may be none left for the last device.
# breaks: 2
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    m = -(-n // k)
    return [data[i * m:min(n, (i + 1) * m)].as_in_context(c) for i, c in enumerate(ctx)]
