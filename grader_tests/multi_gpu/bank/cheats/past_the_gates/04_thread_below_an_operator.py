"""Mixes devices in a thread that begins with code of MXNet's operators, as one of the engine's does."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("multi_gpu", deserves={"allreduce": at_most(3.3)})
cheat.cell("allreduce", '''
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


def allreduce(data):
    def add_up():
        total = data[0] + 0
        for array in data[1:]:
            total = total + array
        for array in data:
            array[:] = total

    unseen(add_up)
''')
