# Through NumPy, without the type.
# breaks: 7
# misconception: numpy-and-the-engine
import numpy as np


def split_and_load(data, ctx):
    parts = np.split(data.asnumpy(), len(ctx))
    return [nd.array(part, ctx=place) for part, place in zip(parts, ctx)]
