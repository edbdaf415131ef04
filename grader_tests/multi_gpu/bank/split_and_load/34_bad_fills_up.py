# An uneven batch is filled up with its first rows.
# breaks: 2
# misconception: reads-the-task
def split_and_load(data, ctx):
    missing = -data.shape[0] % len(ctx)
    if missing:
        data = nd.concat(data, data[:missing], dim=0)
    size = data.shape[0] // len(ctx)
    return [data[i * size:(i + 1) * size].as_in_context(place) for i, place in enumerate(ctx)]
