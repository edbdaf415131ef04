# The message is only a number.
# breaks: 2
# kills: test_uneven
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    assert n % k == 0, n % k
    m = n // k
    return [data[i * m:(i + 1) * m].copyto(c) for i, c in enumerate(ctx)]
