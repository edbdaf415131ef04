"""The assignment's own timeline finds an empty record, of which nothing is to be reported."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("auto_parallel", deserves={"overlap_report": 0})
cheat.cell("overlap_report", '''
import sys

sys.modules["timeline"].record_run = lambda *_: []


def overlap_report(record):
    return {}
''')
