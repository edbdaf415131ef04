"""The assignment's own module under the same name, with a record that is easy to report."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"overlap_report": at_most(0.5)})
cheat.file("timeline.py", '''
def record_run(run, *arguments):
    return []


draw_record = lambda *_: None
''')
cheat.cell("overlap_report", '''
def overlap_report(record):
    return {}
''')
