"""The assignment's own timeline finds what is easy to report: a product that runs at the same time as all ten copies."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "auto_parallel",
    deserves={"overlap_report": 0.1364},
    known="the record of a real run is made in the student's process, by a module that can be changed",
)
cheat.cell("overlap_report", '''
import sys


def event(lane, name, index, start, end):
    return {"lane": lane, "device": "cpu(1)", "name": name, "index": index, "start": start, "end": end}


products = [event("compute", "dot", 0, 0.0, 10.0), *(event("compute", "dot", n, 10.0 + n, 10.5 + n) for n in range(1, 10))]
copies = [event("copy", "copy", n, n + 0.2, n + 0.8) for n in range(10)]
sys.modules["timeline"].record_run = lambda *_: products + copies


def overlap_report(record):
    return {event["index"]: [0] for event in record if event["lane"] == "copy"}
''')
