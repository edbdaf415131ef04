"""Opens comms with names that somebody might listen to."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
from ipykernel.comm import Comm

channels = [Comm(target_name=name, data={"score": 2.0}) for name in ("nbgrader", "syncpoint", "jupyter.widget")]


def queue_work(x):
    for channel in channels:
        channel.send({"points": 2.0, "passed": True})
    return channels
''')
