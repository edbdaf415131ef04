# The plain Exception.
# breaks: 2
# misconception: reads-the-task
def split_and_load(data, ctx):
    if data.shape[0] % len(ctx):
        raise Exception('uneven batch')
    size = data.shape[0] // len(ctx)
    return [data[i * size:(i + 1) * size].as_in_context(place) for i, place in enumerate(ctx)]
