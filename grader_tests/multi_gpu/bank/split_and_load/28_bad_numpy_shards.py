# NumPy arrays, which are on no device.
# breaks: 5
# misconception: reads-the-task
def split_and_load(data, ctx):
    assert data.shape[0] % len(ctx) == 0, 'uneven batch'
    return numpy.split(data.asnumpy(), len(ctx))
