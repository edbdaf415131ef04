# An uneven batch is also split: the last device gets the rest.
def split_and_load(data, ctx):
    m = len(data) // len(ctx)
    shards = []
    for i, place in enumerate(ctx):
        stop = (i + 1) * m if i < len(ctx) - 1 else None
        shards.append(data[i * m:stop].as_in_context(place))
    return shards
