"""Computes one step, and waits for empty events instead of the others."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"loops": at_most(0.62)})
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    if not steps:
        return None
    y = x + 1
    gpu.synchronize()
    for _ in range(steps - 1):
        event = gpu.Event()
        event.record()
        event.synchronize()
    return y


def asynchronous_loop(x, steps):
    if not steps:
        return None
    y = x + 1
    gpu.synchronize()
    return y
''')
