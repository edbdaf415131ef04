"""Asks the device for all readings of the clock, and for all lines that wait, before anything is run."""

from syncpoint.vet.cheat import Cheat

FIND = '''
import simgpu

def within(function, name):
    return dict(zip(function.__code__.co_freevars, function.__closure__))[name].cell_contents

def all_of(tensor):
    return [simgpu.look(tensor, place) for place in range(tensor.numel())]

'''
cheat = Cheat("torch_async", deserves={"benchmark": 0, "late_errors": 0})
cheat.cell("benchmark", FIND + '''
def benchmark(work, clock=time.perf_counter):
    readings = all_of(within(clock, "readings"))
    gpu.synchronize()
    clock()
    work()
    gpu.synchronize()
    clock()
    return readings[1] - readings[0]
''')
cheat.cell("late_errors", FIND + '''
def late_errors(make_lines):
    waits = all_of(within(make_lines, "waits"))
    fault = None
    for number, line in enumerate(make_lines()):
        try:
            line()
            gpu.synchronize()
        except RuntimeError:
            fault = number
            break
    if fault is None:
        return None, None
    return next((n for n, wait in enumerate(waits) if wait and n >= fault), None), fault
''')
