"""Runs the program once, and finds the line by the number of the command in the text of the error."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"late_errors": at_most(1)})
cheat.cell("late_errors", '''
import re

from simgpu.front.link import link


def late_errors(make_lines):
    ends, raised, text = [], None, ""
    for number, line in enumerate(make_lines()):
        try:
            line()
        except RuntimeError as error:
            raised, text = number, text or str(error)
        ends.append(link().number)
    try:
        gpu.synchronize()
    except RuntimeError as error:
        text = text or str(error)
    failed = re.search("command ([0-9]+)", text)
    return raised, next((line for line, end in enumerate(ends) if failed and int(failed[1]) <= end), None)
''')
