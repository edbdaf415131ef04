"""Returns a list that holds itself, a dict of a million keys and lists a hundred thousand deep."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("auto_parallel", deserves={"overlap_report": 0})
cheat.cell("overlap_report", r'''
def overlap_report(record):
    a = []; a.append(a)
    deep = []
    for _ in range(100000): deep = [deep]
    return {0: a, 1: deep, **{i: [i] * 10 for i in range(2, 1000000)}}
''')
