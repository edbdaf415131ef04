"""A thread does the waiting, so that the function itself never waits, and stays there for good."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.5)})
cheat.cell("queue_work", '''
import threading
import time


def queue_work(x):
    y = nd.zeros(1)

    def later():
        time.sleep(0.2)
        y[:] = nd.dot(x, x).sum().asscalar()

    threading.Thread(target=later, daemon=True).start()
    return y
''')
