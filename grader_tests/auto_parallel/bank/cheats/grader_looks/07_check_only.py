"""Right for the visible check of each exercise and for nothing else."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run": at_most(0.12), "overlap_report": at_most(0.5)})
cheat.cell("run", '''
def run(x):
    return [x] * 10
''')
cheat.cell("overlap_report", '''
def overlap_report(record):
    return {event["index"]: [] for event in record if event["lane"] == "copy"}
''')
