# nd.array of an NDArray enqueues a copy of the same type.
from functools import partial


def copy_to_cpu(ys):
    return list(map(partial(nd.array, ctx=mx.Context("cpu", 0)), ys))
