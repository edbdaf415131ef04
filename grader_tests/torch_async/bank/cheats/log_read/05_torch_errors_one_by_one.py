"""Lets all lines run, and then reads both numbers in the log: the first fault, and the wait that has told it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"late_errors": at_most(1)})
cheat.cell("late_errors", '''
from simgpu.front.link import link


def late_errors(make_lines):
    since = 0
    while more := len(link().call("log", since=since, ran=1 << 60)[0]):
        since += more
    for line in make_lines():
        try:
            line()
        except RuntimeError:
            break
    try:
        gpu.synchronize()
    except RuntimeError:
        pass
    fault = raised = None
    number = -1
    for kind, command, stream, name, *_ in link().call("log", since=since, ran=1 << 60)[0]:
        if kind == "launch" and "embedding" in name:
            number += 1
            first = (number, command) if number == 0 else first
            last = {**(last if number else {}), command: number}
        if kind == "error" and fault is None:
            fault = last.get(command)
        if kind == "wait" and name != "synchronize" and number > 0 and raised is None:
            raised = number
    return (raised if fault is not None else None), fault
''')
