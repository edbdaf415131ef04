# Through NumPy, without the type.
# breaks: nd.array makes float32 of everything
# misconception: numpy-and-the-engine
import numpy as np


def split_and_load(data, ctx):
    parts = np.split(data.asnumpy(), len(ctx))
    return [nd.array(part, ctx=place) for part, place in zip(parts, ctx)]
