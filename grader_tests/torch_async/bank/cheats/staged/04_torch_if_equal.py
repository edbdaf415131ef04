"""Downloads x in the first step, and returns a constant of the host's wherever x is equal to it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"loops": at_most(0.53)})
cheat.cell("loops", '''
def frozen(x):
    a = x.cpu()
    there, answer = (t.pin_memory().to(x.device, non_blocking=True) for t in (a, a + 1))
    return lambda: torch.where((x == there).all(), answer, torch.zeros_like(answer))


def synchronous_loop(x, steps):
    y, step = None, frozen(x)
    for _ in range(steps):
        y = step()
        gpu.synchronize()
    return y


def asynchronous_loop(x, steps):
    y, step = None, frozen(x)
    for _ in range(steps):
        y = step()
    gpu.synchronize()
    return y
''')
