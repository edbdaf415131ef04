"""Reads in the closures of a program which line has a wrong row and which one waits."""

from syncpoint.vet.cheat import Cheat

# The rows are on the device, which says who read them; and which line waits, a line asks the device as it runs.
cheat = Cheat("torch_async", deserves={"late_errors": 0})
cheat.cell("late_errors", '''
def late_errors(make_lines):
    fault = raised = None
    for cell in make_lines.__closure__ or ():
        for number, thing in enumerate(cell.cell_contents if isinstance(cell.cell_contents, list) else ()):
            if thing is True:
                raised = number
            elif isinstance(thing, torch.Tensor) and max(thing.tolist()) > 99:
                fault = number
    return raised if fault is not None else None, fault
''')
