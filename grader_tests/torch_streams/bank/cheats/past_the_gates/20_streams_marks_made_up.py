"""A program that never runs side by side shows the judge's log another one, with marks made up like the judge's."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"run_both": at_most(0.9)})
cheat.cell("run_both", '''
def run_both(x, y):
    current, side = gpu.current_stream(), gpu.Stream()
    simgpu.mark("input x")
    a = torch.ones(4, 4, device=device)
    simgpu.mark("input y")
    b = torch.ones(4, 4, device=device)
    side.wait_stream(current)
    shown = [a @ a for _ in range(5)]
    with gpu.stream(side):
        shown += [b @ b for _ in range(5)]
    current.wait_stream(side)
    simgpu.mark("returned ")
    for number, product in enumerate(shown):
        simgpu.mark(f"result {number}")
        product + 0
    return [x @ x for _ in range(5)], [y @ y for _ in range(5)]
''')
