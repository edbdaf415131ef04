"""Takes the scenario's marks apart: that of the return comes before the waits, and a race after it is nobody's."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"run_both": at_most(1.4)})
cheat.cell("run_both", '''
import gc


def run_both(x, y):
    caller = next((t for t in gc.get_objects() if type(t).__name__ == "_Caller"), None)
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    if caller is not None:
        caller.mark("returned")
    gpu.synchronize()
    return xs, ys
''')
