# A generator: it can be used only once, and has no length.
# breaks: 5
# misconception: reads-the-task
def split_and_load(data, ctx):
    m = data.shape[0] // len(ctx)
    assert m * len(ctx) == data.shape[0], 'uneven batch'
    return (data[i * m:(i + 1) * m].as_in_context(c) for i, c in enumerate(ctx))
