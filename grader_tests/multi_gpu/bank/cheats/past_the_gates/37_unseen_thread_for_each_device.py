"""Waits for each device in a thread that begins with code of MXNet's operators."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "multi_gpu",
    deserves={"train_batch": at_most(2.49), "allreduce": 4, "split_and_load": 3},
    solves=["allreduce", "split_and_load"],
)
cheat.cell("train_batch", '''
import _thread
import threading


class Name(str):
    """The name of an operator, which does something else when it is asked for its bytes."""

    def encode(self, *_):
        task()
        done.set()
        return b"unseen"


def unseen(function):
    global task
    task = function
    done.clear()
    _thread.start_new_thread(mx.operator.register(Name()), (None,))
    done.wait()


done = threading.Event()


def train_batch(X, y, gpu_params, ctx, lr):
    for a, b, replica in zip(split_and_load(X, ctx), split_and_load(y, ctx), gpu_params):
        with autograd.record():
            l = loss(lenet(a, replica), b)
        l.backward()
        unseen(nd.waitall)
    for copies in zip(*gpu_params):
        allreduce([p.grad for p in copies])
    for replica in gpu_params:
        sgd(replica, lr, X.shape[0])
''')
