# Examples in a random order are "better for training".
# breaks: 1
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    assert n % k == 0, 'uneven batch'
    m = n // k
    order = nd.array(numpy.random.permutation(n))
    shuffled = nd.take(data, order)
    return [shuffled[i * m:(i + 1) * m].as_in_context(ctx[i]) for i in range(k)]
