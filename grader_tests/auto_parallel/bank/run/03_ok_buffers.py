# Ten empty arrays on the device of x, filled with out=.
def run(x):
    ys = [nd.empty(x.shape, ctx=x.context, dtype=x.dtype) for _ in range(10)]
    for y in ys:
        nd.dot(x, x, out=y)
    return ys
