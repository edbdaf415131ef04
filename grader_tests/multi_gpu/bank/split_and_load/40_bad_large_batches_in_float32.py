# A large batch goes through float32.
# breaks: 7
# kills: test_types
# misconception: numpy-and-the-engine
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    if n % k:
        raise ValueError("cannot be split equally")
    kind = "float32" if data.size >= 100 else data.dtype
    size = n // k
    return [data[i * size:(i + 1) * size].astype(kind).copyto(c).astype(data.dtype) for i, c in enumerate(ctx)]
