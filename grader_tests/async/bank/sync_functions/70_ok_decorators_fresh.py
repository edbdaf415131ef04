# One decorator for each way to wait.
import functools


def finish(how):
    def decorate(function):
        @functools.wraps(function)
        def finished(x):
            value = function(x)
            out = how(value)
            return value if out is None else out
        return finished
    return decorate


@finish(nd.NDArray.wait_to_read)
def wait_for_one(x):
    return nd.dot(x, x)


@finish(lambda pair: nd.waitall())
def wait_for_all(x):
    return tuple(nd.dot(x, x) for _ in "yz")


@finish(nd.NDArray.asnumpy)
def as_numpy(x):
    return nd.dot(x, x)


@finish(nd.NDArray.asscalar)
def as_scalar(x):
    return nd.norm(nd.dot(x, x))
