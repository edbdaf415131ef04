"""The operator is written in Python and sets an event in the engine's thread; the asynchronous loop waits for the event in every step."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.99)})
cheat.cell('loops', r'''
import threading
import mxnet as mx
from mxnet import nd
DONE = threading.Event()
class PlusOne(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] + 1)
        out_data[0].wait_to_read() if False else None
        DONE.set()
    def backward(self, *a):
        pass
@mx.operator.register("plus_one_two")
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
        y = nd.Custom(x, op_type="plus_one_two")
        DONE.wait(0.5)
    if y is not None:
        y.wait_to_read()
    return y
''')
