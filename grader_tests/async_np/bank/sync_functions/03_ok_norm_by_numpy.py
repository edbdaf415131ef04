# NumPy's norm of the converted product; one element read as a wait.
import mxnet as mx


def _dot(x):
    return np.dot(x, x)


def wait_for_one(x):
    y = _dot(x)
    y[0, 0].item()
    return y


def wait_for_all(x):
    first = _dot(x)
    second = _dot(x)
    mx.nd.waitall()
    return first, second


def as_numpy(x):
    return _dot(x).asnumpy()


def as_scalar(x):
    return numpy.linalg.norm(as_numpy(x))
