"""Waits in every batch by asking for the time between two events, a thousand times at most."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_async": at_most(1.5)})
cheat.cell("train_async", r'''
def train_async(net, data_iter, loss, optimizer):
    """Waits in every batch for a time between two marks: it is there when both were passed."""
    losses = []
    for X, y in data_iter():
        X, y = (host.pin_memory().to(device, non_blocking=True) for host in (X, y))
        start, end = gpu.Event(enable_timing=True), gpu.Event(enable_timing=True)
        start.record()
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        losses.append(l.detach())
        end.record()
        for _ in range(1000):
            try:
                start.elapsed_time(end)
                break
            except RuntimeError:
                pass
    return float(sum(l.item() for l in losses))
''')
