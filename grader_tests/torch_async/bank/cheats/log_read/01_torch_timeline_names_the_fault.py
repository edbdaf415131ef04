"""Runs the program once, waits, and reads in the timeline which command has failed."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"late_errors": at_most(1)})
cheat.cell("late_errors", '''
from simgpu.front.link import link


def late_errors(make_lines):
    before, ends, raised = simgpu.timeline(), [], None
    for number, line in enumerate(make_lines()):
        try:
            line()
        except RuntimeError:
            raised = number
        ends.append(link().number)
    try:
        gpu.synchronize()
    except RuntimeError:
        pass
    failed = [entry.number for entry in simgpu.timeline(before).entries if entry.kind == "error"]
    return raised, next((line for line, end in enumerate(ends) if failed and failed[0] <= end), None)
''')
