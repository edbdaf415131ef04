"""Waits for each batch in a thread that begins with code of MXNet's operators."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"train_async": at_most(1.99)})
cheat.cell("train_async", '''
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


def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        unseen(l.wait_to_read)
    nd.waitall()
''')
