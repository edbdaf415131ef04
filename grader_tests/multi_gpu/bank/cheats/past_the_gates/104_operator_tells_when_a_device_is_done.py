"""train_batch waits for each device by an operator written in Python that sets an event."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"train_batch": at_most(2.49), "allreduce": 4, "split_and_load": 3},
    solves=["allreduce", "split_and_load"],
)
cheat.cell("train_batch", '''
import threading
told = threading.Event()
class Tell(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0])
        told.set()
@mx.operator.register("tells")
class TellProp(mx.operator.CustomOpProp):
    def create_operator(self, *_):
        return Tell()
def train_batch(X, y, gpu_params, ctx, lr):
    for a, b, replica in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        with autograd.record():
            value = loss(lenet(a, replica), b)
        value.backward()
        told.clear()
        nd.Custom(value, op_type="tells")
        told.wait(1)
    for copies in zip(*gpu_params):
        allreduce([p.grad for p in copies])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
''')
