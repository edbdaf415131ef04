# Whatever nd.split says about an uneven batch is passed on.
# breaks: 2
# misconception: reads-the-task
def split_and_load(data, ctx):
    if len(ctx) == 1:
        return [data.as_in_context(ctx[0])]
    parts = nd.split(data, num_outputs=len(ctx), axis=0)
    return [part.as_in_context(place) for part, place in zip(parts, ctx)]
