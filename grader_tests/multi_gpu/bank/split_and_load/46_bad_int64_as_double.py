# Whole numbers go through float64.
# breaks: 7
# kills: test_types
# misconception: numpy-and-the-engine
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    if n % k:
        raise ValueError("cannot be split equally")
    size = n // k
    return [data[i * size:(i + 1) * size].astype("float64").copyto(c).astype(data.dtype) for i, c in enumerate(ctx)]
