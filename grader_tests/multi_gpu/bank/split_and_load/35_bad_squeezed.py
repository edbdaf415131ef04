# With one row for each device, the axis of the examples is squeezed away.
# breaks: 6
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    if n % k:
        raise ValueError(f'{n} examples for {k} devices')
    parts = nd.split(data, num_outputs=k, axis=0, squeeze_axis=n == k)
    return [part.as_in_context(place) for part, place in zip(parts if k > 1 else [parts], ctx)]
