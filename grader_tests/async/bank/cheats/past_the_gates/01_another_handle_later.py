"""Returns an array that is computed; after that a thread exchanges it for the product once that is there."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"sync_functions": at_most(1.58)})
cheat.cell("sync_functions", '''
import threading

import numpy

from mxnet.base import _LIB

plain = _LIB.MXNDArrayWaitToRead


def wait_for_one(x):
    y, product = nd.array(numpy.zeros(x.shape)), nd.dot(x, x)

    def exchange():
        while _LIB.MXNDArrayWaitToRead is not plain:
            pass  # the judge still looks on
        product.wait_to_read()
        y.handle, product.handle = product.handle, y.handle

    threading.Thread(target=exchange).start()
    return y


def wait_for_all(x):
    y = nd.dot(x, x)
    z = nd.dot(x, x)
    nd.waitall()
    return y, z


def as_numpy(x):
    return nd.dot(x, x).asnumpy()


def as_scalar(x):
    return nd.dot(x, x).norm().asscalar()
''')
