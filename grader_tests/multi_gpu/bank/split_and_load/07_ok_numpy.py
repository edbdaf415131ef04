# Through NumPy, with the type given back.
import numpy as np


def split_and_load(data, ctx):
    parts = np.array_split(data.asnumpy(), len(ctx))
    return [nd.array(part, ctx=place, dtype=data.dtype) for part, place in zip(parts, ctx)]
