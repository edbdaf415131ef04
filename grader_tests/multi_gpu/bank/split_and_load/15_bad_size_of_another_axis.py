# The size comes from the second axis, the slice is along the first.
# breaks: 1
# misconception: reads-the-task
def split_and_load(data, ctx):
    assert data.shape[0] % len(ctx) == 0, 'uneven batch'
    m = data.shape[1] // len(ctx)
    return [data[i * m:(i + 1) * m].as_in_context(ctx[i]) for i in range(len(ctx))]
