"""Waits for each device by the output of an executor that has read its gradients."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"train_batch": at_most(2.49), "allreduce": 4, "split_and_load": 3},
    solves=["allreduce", "split_and_load"],
)
cheat.cell("train_batch", '''
def train_batch(X, y, gpu_params, ctx, lr):
    for a, b, replica in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        with autograd.record():
            l = loss(lenet(a, replica), b)
        l.backward()
        program = mx.sym.identity(mx.sym.var("gradient"))
        program.bind(a.context, {"gradient": replica[-1].grad}).forward()[0].wait_to_read()
    for copies in zip(*gpu_params):
        allreduce([p.grad for p in copies])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
''')
