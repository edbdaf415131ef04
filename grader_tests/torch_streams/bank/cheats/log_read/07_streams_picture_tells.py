"""Reads the times of the events in the picture of the timeline."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"overlap_report": at_most(0.4)})
cheat.cell("overlap_report", '''
def overlap_report(spans):
    at = {span.entry.number: span.end for span in simgpu.timeline().spans() if span.kind == "record"}
    at = {name: [at.get(event.ticket, 0) for event in pair] for name, pair in spans.items()}
    return [(a, b) for a in at for b in at if a < b and at[a][0] < at[b][1] and at[b][0] < at[a][1]]
''')
