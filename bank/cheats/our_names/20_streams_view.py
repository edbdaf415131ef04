"""The assignment's own module under the same name, which replaces what streams do."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"run_both": at_most(1.4)})
cheat.file("streams_view.py", '''
import torch
import simgpu

gpu = torch.get_device_module("simgpu")
draw_boxes = draw_lanes = find_races = show_timeline = lambda *_, **__: None
gpu.Stream.wait_stream = lambda self, other: other.synchronize()
gpu.synchronize = lambda *_: None
''')
cheat.cell("run_both", '''
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    current.wait_stream(side)
    return xs, ys
''')
