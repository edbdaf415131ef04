"""The assignment's own module under the same name, which makes a wait of the host's one of a stream's."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"run_both": at_most(1.4)})
cheat.file("streams_view.py", '''
import torch
import simgpu

gpu = torch.get_device_module("simgpu")
draw_no_order = draw_reuse = draw_copies = draw_prefetch = draw_pipeline = draw_spans = find_races = show_timeline = lambda *_, **__: None
gpu.synchronize = lambda *_: gpu.current_stream().wait_stream(gpu.streams[-1])
''')
cheat.cell("run_both", '''
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    side.wait_stream(current)
    xs = [x @ x for _ in range(5)]
    with gpu.stream(side):
        ys = [y @ y for _ in range(5)]
    gpu.streams = [side]
    gpu.synchronize()
    return xs, ys
''')
