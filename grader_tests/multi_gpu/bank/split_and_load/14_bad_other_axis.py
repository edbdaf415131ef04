# The default axis of nd.split is 1.
# breaks: 1
# misconception: reads-the-task
def split_and_load(data, ctx):
    if data.shape[0] % len(ctx):
        raise ValueError('uneven batch')
    parts = nd.split(data, len(ctx)) if len(ctx) > 1 else [data]
    return [part.as_in_context(place) for part, place in zip(parts, ctx)]
