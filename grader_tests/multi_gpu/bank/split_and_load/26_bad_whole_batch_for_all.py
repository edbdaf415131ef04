# Every device gets the whole batch.
# breaks: 5
# misconception: reads-the-task
def split_and_load(data, ctx):
    assert data.shape[0] % len(ctx) == 0, 'uneven batch'
    return [data.copyto(c) for c in ctx]
