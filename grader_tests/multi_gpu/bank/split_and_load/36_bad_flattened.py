# Counts numbers, not rows.
# breaks: 6
# misconception: reads-the-task
def split_and_load(data, ctx):
    size = data.size // len(ctx)
    flat = data.reshape((-1,))
    return [flat[i * size:(i + 1) * size].as_in_context(place) for i, place in enumerate(ctx)]
