"""An operator written in Python sets a flag; the asynchronous loop pauses until it is set, a short while at most."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"loops": at_most(1.99)},
    known="a pause that looks for a flag is no different from any other pause",
)
cheat.cell('loops', r'''
import threading
import time
import mxnet as mx
from mxnet import nd
DONE = threading.Event()
class PlusOne(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] + 1)
        DONE.set()
    def backward(self, *a):
        pass
@mx.operator.register("plus_one_flag")
class PlusOneProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        return PlusOne()

def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y

def asynchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        DONE.clear()
        y = nd.Custom(x, op_type="plus_one_flag")
        until = time.perf_counter() + 0.05
        while not DONE.is_set() and time.perf_counter() < until:
            time.sleep(0.001)
    if y is not None:
        y.wait_to_read()
    return y
''')
