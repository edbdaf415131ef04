# Bounds by rounding; slice_axis and copies.
def split_and_load(data, ctx):
    n, k = len(data), len(ctx)
    bounds = [i * n // k for i in range(k + 1)]
    return [nd.slice_axis(data, axis=0, begin=a, end=b).copyto(c)
            for a, b, c in zip(bounds, bounds[1:], ctx)]
