"""Waits for each device before the next one, and takes the waits out of the log."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu", deserves={"train_batch": at_most(1.88), "allreduce": 4, "split_and_load": 3}, solves=["allreduce", "split_and_load"],
    known="the log is an object of the process that it describes",
)
cheat.cell("train_batch", r'''
import gc


def _drop():
    for thing in gc.get_objects():
        if type(thing) is list and thing:
            for e in list(thing):
                k = e.get("kind") if isinstance(e, dict) else getattr(e, "kind", None)
                if k == "wait":
                    try:
                        thing.remove(e)
                    except Exception:
                        pass


def train_batch(X, y, gpu_params, ctx, lr):
    for a, b, replica in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        with autograd.record():
            l = loss(lenet(a, replica), b)
        l.backward()
        nd.waitall()
        _drop()
    for i in range(len(gpu_params[0])):
        allreduce([replica[i].grad for replica in gpu_params])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
''')
