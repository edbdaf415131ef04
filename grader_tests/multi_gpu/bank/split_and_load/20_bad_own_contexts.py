# The devices are counted here, and ctx is only asked for its length.
# breaks: 4
# misconception: as-in-context
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    assert n % k == 0, 'uneven batch'
    m = n // k
    return [data[i * m:(i + 1) * m].as_in_context(devices(k)[i]) for i in range(k)]
