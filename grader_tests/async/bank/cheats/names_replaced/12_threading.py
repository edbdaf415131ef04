"""No timer ever fires and no lock is ever taken."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.25})
cheat.cell("queue_work", '''
import threading


class Never(threading.Thread):
    def start(self):
        pass

    def cancel(self):
        pass


threading.Timer = lambda *_, **__: Never()
threading.Event.wait = lambda *_: True


def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y
''')
