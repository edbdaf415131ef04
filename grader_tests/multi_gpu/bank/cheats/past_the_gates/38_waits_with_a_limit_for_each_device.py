"""Waits for each device in a thread, and goes on where that takes long: a held gate looks so."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"train_batch": at_most(2.49), "allreduce": 4, "split_and_load": 3},
    solves=["allreduce", "split_and_load"],
)
cheat.cell("train_batch", '''
import threading


def train_batch(X, y, gpu_params, ctx, lr):
    for a, b, replica in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        with autograd.record():
            l = loss(lenet(a, replica), b)
        l.backward()
        waiter = threading.Thread(target=l.wait_to_read, daemon=True)
        waiter.start()
        waiter.join(0.05)
    for copies in zip(*gpu_params):
        allreduce([p.grad for p in copies])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
''')
