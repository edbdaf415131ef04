"""The solution cell twice, the wrong one first: both run, so the honest one counts."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 2}, solves=["queue_work"])
cheat.copy("queue_work", '''
def queue_work(x):
    return 2.0
''')
