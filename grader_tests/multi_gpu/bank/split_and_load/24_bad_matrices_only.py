# A colon for the second axis.
# breaks: 6
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    assert n % k == 0, 'uneven batch'
    m = n // k
    return [data[i * m:(i + 1) * m, :].as_in_context(ctx[i]) for i in range(k)]
