# Slices of equal size, and an assertion for the rest.
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    m = n // k
    assert m * k == n, 'the batch cannot be divided by the number of devices'
    return [data[i * m:(i + 1) * m].as_in_context(ctx[i]) for i in range(k)]
