# The values are brought into the range from 0 to 1 on the way.
# breaks: 8
# misconception: names-and-arrays
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    assert n % k == 0, 'uneven batch'
    data[:] = data / 255
    m = n // k
    return [data[i * m:(i + 1) * m].as_in_context(ctx[i]) for i in range(k)]
