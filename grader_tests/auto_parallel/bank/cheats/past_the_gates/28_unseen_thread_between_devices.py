"""Waits for the first device in a thread that begins with code of MXNet's operators, before the second one has work."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_both": at_most(1.49)})
cheat.cell("run_both", '''
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


def run_both(x_a, x_b):
    first = [nd.dot(x_a, x_a) for _ in range(10)]
    unseen(nd.waitall)
    return first, [nd.dot(x_b, x_b) for _ in range(10)]
''')
