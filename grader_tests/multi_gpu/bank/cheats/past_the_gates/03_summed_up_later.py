"""Returns at once; a thread adds up with NumPy while the judge waits for the engine."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("multi_gpu", deserves={"allreduce": at_most(1)})
cheat.cell("allreduce", '''
import threading
import time

import mxnet as mx


def allreduce(data):
    junk = nd.ones((1500, 1500), ctx=mx.cpu(7))
    nd.dot(junk, junk)

    def add_up():
        time.sleep(0.02)
        total = sum(array.asnumpy() for array in data)
        for array in data:
            array[:] = total

    threading.Thread(target=add_up).start()
''')
