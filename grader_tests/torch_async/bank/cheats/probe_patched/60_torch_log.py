"""Has the probe report a log and gates of its own; those of the device are asked for elsewhere."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.first('''
probe = get_ipython().kernel._probe
usual = type(probe)._call


def call(self, request, buffers):
    reply = usual(self, request, buffers)
    return {**reply, "events": [], "pending": ["mm 1"], "ready": False, "memory": {}}


type(probe)._call = call
''')
cheat.cell("queue_work", '''
def queue_work(x):
    y = (x @ x).sum()
    y.item()
    return y
''')
