"""The order in which the host recorded the events, and no time."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"overlap_report": at_most(0.75)})
cheat.cell("overlap_report", '''
from itertools import combinations


def overlap_report(spans):
    at = {name: (start.ticket, end.ticket) for name, (start, end) in spans.items()}
    return [(a, b) for a, b in combinations(at, 2) if max(at[a][0], at[b][0]) < min(at[a][1], at[b][1])]
''')
