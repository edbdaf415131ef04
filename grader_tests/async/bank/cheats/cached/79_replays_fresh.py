"""Waits inside the first call and gives its result again for every later input of the same shape."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.5)})
cheat.cell("queue_work", '''
memory = {}


def queue_work(x):
    if x.shape not in memory:
        y = nd.dot(x, x).sum()
        y.wait_to_read()
        memory[x.shape] = y
    return memory[x.shape]
''')
