"""Says by the scenario's own mark that the function has returned, silences the real one, and waits on the host then."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"run_both": at_most(1.4)})
cheat.cell("run_both", '''
import sys


def caller_of():
    frame = sys._getframe(1)
    while frame is not None and "caller" not in frame.f_locals:
        frame = frame.f_back
    return None if frame is None else frame.f_locals["caller"]


def run_both(x, y):
    caller = caller_of()
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    if caller is not None:
        try:
            caller.returned()
            caller.returned = lambda: None
        except AttributeError:
            pass
    gpu.synchronize()
    return xs, ys
''')
