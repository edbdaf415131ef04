"""Waits between products and copies, in a thread that begins with code of MXNet's operators."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_and_copy": at_most(1.99)})
cheat.cell("run_and_copy", '''
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


def run_and_copy(x):
    copies = []

    def work():
        ys = [nd.dot(x, x) for _ in range(10)]
        nd.waitall()
        copies.extend(y.copyto(mx.cpu(0)) for y in ys)

    unseen(work)
    nd.waitall()
    return copies
''')
