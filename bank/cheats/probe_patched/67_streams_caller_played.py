"""Plays the caller that goes on, silences what the real one says, and lets the current stream wait then."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"memory_reuse": at_most(1.43)})
cheat.cell("memory_reuse", '''
import sys


def caller_of():
    frame = sys._getframe(1)
    while frame is not None and "caller" not in frame.f_locals:
        frame = frame.f_back
    return None if frame is None else frame.f_locals["caller"]


def memory_reuse(x, work, side):
    caller = caller_of()
    current = gpu.current_stream()
    y = x * 2
    side.wait_stream(current)
    with gpu.stream(side):
        result = work(y)
    if caller is not None:
        try:
            caller.returned()
            shown = [torch.empty_like(x).fill_(number) for number in range(3)]
            caller.mark("later")
            mark = caller.mark
            caller.returned = lambda: None
            caller.mark = lambda kind, label="": None if kind == "later" else mark(kind, label)
        except AttributeError:
            pass
    current.wait_stream(side)
    return result
''')
