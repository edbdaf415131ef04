"""Events that answer always the same, and a report that says it contains everything."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"overlap_report": at_most(0.19)})
cheat.cell("overlap_report", '''
_old = gpu.Event.elapsed_time
try:
    gpu.Event.elapsed_time = lambda self, other: 1.0
except Exception:
    pass


class Everything(list):
    def __contains__(self, pair):
        return True

    def __eq__(self, other):
        return True

    __hash__ = None


def overlap_report(spans):
    return Everything((a, b) for a in spans for b in spans if a < b)
''')
