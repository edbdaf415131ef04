"""Multiplies in a thread that begins with code of MXNet's operators: nothing holds the product, and nobody waits."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async_np", deserves={"sync_functions": at_most(1.72)})
cheat.cell("sync_functions", '''
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


def wait_for_one(x):
    made = []
    unseen(lambda: made.append(np.dot(x, x)))
    return made[0]


def wait_for_all(x):
    y = np.dot(x, x)
    z = np.dot(x, x)
    npx.waitall()
    return y, z


def as_numpy(x):
    return np.dot(x, x).asnumpy()


def as_scalar(x):
    return np.linalg.norm(np.dot(x, x)).item()
''')
