# A thread that nobody waits for waits for y.
# breaks: 2
# misconception: any-wait-will-do
import threading


def wait_for_one(x):
    y = nd.dot(x, x)
    threading.Thread(target=y.wait_to_read).start()
    return y


def wait_for_all(x):
    y, z = nd.dot(x, x), nd.dot(x, x)
    threading.Thread(target=nd.waitall).start()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return float(numpy.linalg.norm(as_numpy(x)))
