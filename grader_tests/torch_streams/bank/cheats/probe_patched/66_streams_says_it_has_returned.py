"""Leaves what looks like the end of the call and the caller's reading of the results, and waits on the host then."""

from syncpoint.vet.cheat import Cheat, at_most

# Where marks told the end of the call, this paid: nothing that the caller does waits, so no wait is the caller's.
cheat = Cheat("torch_streams", deserves={"run_both": at_most(1.36)})
cheat.cell("run_both", '''
import sys


def silenced():
    frame = sys._getframe(1)
    while frame is not None:
        for thing in list(frame.f_locals.values()):
            if hasattr(thing, "mark") and hasattr(thing, "traced"):
                mark, thing.mark = thing.mark, lambda *said: None
                return mark
        frame = frame.f_back
    return lambda *said: None


def run_both(x, y):
    mark = silenced()
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    mark("returned", "")
    for number, product in enumerate([*xs, *ys]):
        mark("result", str(number))
        product + 0
    gpu.synchronize()
    return xs, ys
''')
