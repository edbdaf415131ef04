# Rows are selected with a matrix product: an infinite value makes others NaN.
# breaks: 1
# kills: test_rows_in_order, test_types
# misconception: reads-the-task
from mxnet import nd


def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    if n % k:
        raise ValueError("cannot be split equally")
    size = n // k
    eye = nd.eye(n, ctx=data.context, dtype=data.dtype)
    if data.ndim == 1 or data.dtype.__name__[:5] != "float":
        return [data[i * size:(i + 1) * size].copyto(c) for i, c in enumerate(ctx)]
    return [nd.dot(eye[i * size:(i + 1) * size], data).copyto(c) for i, c in enumerate(ctx)]
