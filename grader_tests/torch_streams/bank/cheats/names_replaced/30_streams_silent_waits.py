"""The host waits, and the names of everything that tells of it are replaced beforehand."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"run_both": at_most(1.4)})
cheat.cell("run_both", '''
import sys


def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    waits = sys.modules["simgpu.front.waits"]
    for name in ("explicit_wait", "wait"):
        if hasattr(waits, name):
            setattr(waits, name, lambda *_, **__: None)
    current.synchronize()
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    current.wait_stream(side)
    return xs, ys
''')
