# Every device gets the whole batch and keeps its own part of it.
def split_and_load(data, ctx):
    m = data.shape[0] // len(ctx)
    assert data.shape[0] == m * len(ctx), f'{data.shape[0]} rows, {len(ctx)} devices'
    shards = []
    start = 0
    for c in ctx:
        there = data.as_in_context(c)
        shards.append(there.slice_axis(axis=0, begin=start, end=start + m))
        start += m
    return shards
