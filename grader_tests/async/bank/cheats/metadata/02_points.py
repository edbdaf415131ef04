"""Gives itself more points."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.25, "loops": 0})
cheat.cell("queue_work", '''
def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y
''')
cheat.metadata("test_queue_work", {"nbgrader": {"points": 1000}})
cheat.metadata("test_loops", {"nbgrader": {"points": -1000}})
