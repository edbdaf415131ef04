"""Goes on as the caller would after the call, and lets the current stream wait then."""

from syncpoint.vet.cheat import Cheat, at_most

# This paid when marks showed what the caller does; now the arrays that the caller itself has made show it.
cheat = Cheat("torch_streams", deserves={"memory_reuse": at_most(1.25)})
cheat.cell("memory_reuse", '''
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


def memory_reuse(x, work, side):
    mark = silenced()
    current = gpu.current_stream()
    y = x * 2
    side.wait_stream(current)
    with gpu.stream(side):
        result = work(y)
    mark("returned", "")
    shown = [torch.empty_like(x).fill_(number) for number in range(12)]
    mark("later", "")
    current.wait_stream(side)
    return result
''')
