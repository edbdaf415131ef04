"""Reads the order in which the events were passed in the device's own list of what has run."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"overlap_report": at_most(0.4)})
cheat.cell("overlap_report", '''
from simgpu.front.link import link


def overlap_report(spans):
    runs = []
    while more := link().call("log", since=1 << 60, ran=len(runs))[1]:
        runs += more
    order = {number: place for place, (number, *_) in enumerate(runs)}
    at = {name: [order.get(event.ticket, 0) for event in pair] for name, pair in spans.items()}
    return [(a, b) for a in at for b in at if a < b and at[a][0] < at[b][1] and at[b][0] < at[a][1]]
''')
