"""The loop returns an array that is computed; after the call a thread gives it the handle of the last y."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.88)})
cheat.cell("loops", '''
import threading

import numpy

from mxnet.base import _LIB

plain = _LIB.MXNDArrayWaitToRead


def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y


def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    if y is None:
        return None
    if _LIB.MXNDArrayWaitToRead is plain:
        return y  # nobody looks on
    shown = nd.array(numpy.zeros(x.shape))

    def exchange():
        while _LIB.MXNDArrayWaitToRead is not plain:
            pass  # the judge still looks on
        y.wait_to_read()
        shown.handle, y.handle = y.handle, shown.handle

    threading.Thread(target=exchange).start()
    return shown
''')
