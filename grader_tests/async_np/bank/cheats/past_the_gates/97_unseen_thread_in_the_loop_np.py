"""Waits for each batch in a thread that begins with code of MXNet's operators, and leaves two in flight for show."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async_np", deserves={"train_bounded": at_most(1.99)})
cheat.cell("train_bounded", '''
import _thread
import threading

import mxnet as mx


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


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    losses = []
    for X, y in data_iter():
        if len(losses) >= in_flight:
            losses[-in_flight].wait_to_read()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        losses.append(l)
        unseen(l.wait_to_read)
    npx.waitall()
''')
