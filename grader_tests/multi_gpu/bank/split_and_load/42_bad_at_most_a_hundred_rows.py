# A large batch loses its rows from the hundredth on.
# breaks: 1
# kills: test_rows_in_order, test_types
# misconception: reads-the-task
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    if n % k:
        raise ValueError("cannot be split equally")
    size = min(n, 100 // k * k) // k
    return [data[i * size:(i + 1) * size].copyto(c) for i, c in enumerate(ctx)]
