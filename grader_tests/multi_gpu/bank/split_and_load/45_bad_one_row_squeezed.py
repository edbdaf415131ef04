# A shard of one row loses its first axis.
# breaks: 6
# kills: test_rows_in_order
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    if n % k:
        raise ValueError("cannot be split equally")
    size = n // k
    if size == 1 and k == 1:
        return [data[0].copyto(ctx[0])]
    return [data[i * size:(i + 1) * size].copyto(c) for i, c in enumerate(ctx)]
