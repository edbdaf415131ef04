# nd.split with one part returns no list.
# breaks: 5
# misconception: reads-the-task
def split_and_load(data, ctx):
    k = len(ctx)
    assert data.shape[0] % k == 0, 'uneven batch'
    parts = nd.split(data, num_outputs=k, axis=0)
    return [parts[i].as_in_context(ctx[i]) for i in range(k)]
