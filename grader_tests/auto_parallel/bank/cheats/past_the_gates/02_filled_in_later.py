"""Returns empty arrays at once; a thread copies through NumPy while the judge waits for the engine."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"copy_to_cpu": at_most(1.34)})
cheat.cell("copy_to_cpu", '''
import threading
import time


def copy_to_cpu(ys):
    copies = [nd.empty(y.shape, ctx=mx.cpu(), dtype=y.dtype) for y in ys]
    junk = nd.ones((1500, 1500), ctx=mx.cpu(3))
    nd.dot(junk, junk)

    def fill():
        time.sleep(0.02)
        for y, copy in zip(ys, copies):
            copy[:] = y.asnumpy()

    threading.Thread(target=fill).start()
    return copies
''')
