# The size of a shard is rounded to the nearest number, and the last gets the rest: of 6 rows, the fourth device none.
# breaks: 2
# kills: test_uneven
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    bounds = [min(round(n / k) * i, n) for i in range(k)] + [n]
    return [data[a:b].copyto(c) for a, b, c in zip(bounds, bounds[1:], ctx)]
