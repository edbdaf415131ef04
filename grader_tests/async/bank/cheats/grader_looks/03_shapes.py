"""Knows the answers for the matrices of the visible check, and of those it thinks a grader uses."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.5})
cheat.cell("queue_work", '''
ANSWERS = {(2, 2): 54.0, (1, 1): 1.0, (3, 3): 0.0, (8, 8): 0.0, (1000, 1000): 2.5e8}


def queue_work(x):
    nd.dot(x, x)
    return nd.array([ANSWERS.get(x.shape, 0.0)])
''')
