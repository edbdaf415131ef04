"""A list and a dict whose length and contents depend on who asks."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run": 0, "overlap_report": at_most(0.13)})
cheat.cell("run", '''
class Ten(list):
    __len__ = lambda self: 10
    __iter__ = lambda self: iter([self] * 10)
    __getitem__ = lambda self, place: self
    __eq__ = lambda self, other: True
    __class__ = list


def run(x):
    return Ten()
''')
cheat.cell("overlap_report", '''
class Whole(dict):
    __len__ = lambda self: 4
    items = keys = values = __iter__ = lambda self: iter(())
    __eq__ = lambda self, other: True
    __missing__ = lambda self, key: []


def overlap_report(record):
    return Whole()
''')
