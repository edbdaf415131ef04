"""Prints the points of an exercise, as a number and as a report."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"queue_work": at_most(0.43)})
cheat.cell("queue_work", '''
def queue_work(x):
    y = (x @ x).sum()
    y.item()
    return y
''')
cheat.after("test_queue_work", '''
print(2.0)
print('{"points": 2}')
2.0
''')
