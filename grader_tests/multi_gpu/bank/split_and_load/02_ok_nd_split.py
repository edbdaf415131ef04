# nd.split, with its special case of one part.
def split_and_load(data, ctx):
    k = len(ctx)
    if data.shape[0] % k != 0:
        raise ValueError('%d examples for %d devices' % (data.shape[0], k))
    parts = nd.split(data, num_outputs=k, axis=0)
    if k == 1:
        parts = [parts]
    return [part.copyto(place) for part, place in zip(parts, ctx)]
