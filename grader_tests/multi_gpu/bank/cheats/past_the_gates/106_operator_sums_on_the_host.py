"""allreduce by an operator written in Python that adds up with NumPy, of all devices."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("multi_gpu", deserves={"allreduce": at_most(1.63)})
cheat.cell("allreduce", '''
import numpy as np
ARRAYS = {}
class Sum(mx.operator.CustomOp):
    def __init__(self, number):
        super().__init__()
        self.number = number
    def forward(self, is_train, req, in_data, out_data, aux):
        total = sum(a.asnumpy() for a in ARRAYS[self.number])
        self.assign(out_data[0], req[0], nd.array(total, ctx=out_data[0].context, dtype=total.dtype))
@mx.operator.register("sum_on_the_host")
class SumProp(mx.operator.CustomOpProp):
    def __init__(self, number="0"):
        super().__init__(need_top_grad=False)
        self.number = int(number)
    def create_operator(self, *_):
        return Sum(self.number)
def allreduce(data):
    number = len(ARRAYS)
    ARRAYS[number] = [a.copy() for a in data]
    sums = [nd.Custom(a, op_type="sum_on_the_host", number=number) for a in ARRAYS[number]]
    for a, s in zip(data, sums):
        s.copyto(a)
''')
