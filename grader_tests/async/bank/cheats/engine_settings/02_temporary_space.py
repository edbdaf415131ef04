"""Makes every operation wait for the one before, by the engine's own settings."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"loops": 1.25})
cheat.first('''
import os

os.environ.update(MXNET_CPU_TEMP_COPY="1", MXNET_CPU_WORKER_NTHREADS="1", OMP_NUM_THREADS="64", OMP_WAIT_POLICY="active")
import ctypes

ctypes.CDLL(None).setenv(b"MXNET_CPU_TEMP_COPY", b"1", 1)
''')
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    return y


def asynchronous_loop(x, steps):
    y = synchronous_loop(x, steps)
    return y
''')
