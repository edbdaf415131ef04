"""Waits in every batch until the device has written into pinned memory, for 0.3 seconds at most."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_async": at_most(1.5)}, known="Nobody sees who reads the memory of the own process: it looks like computing, and after the limit it goes on.")
cheat.cell("train_async", r'''
def train_async(net, data_iter, loss, optimizer):
    """Waits in every batch until a pinned number changes, which the device writes."""
    losses, one = [], torch.ones((), device=device)
    for X, y in data_iter():
        X, y = (host.pin_memory().to(device, non_blocking=True) for host in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        losses.append(l.detach())
        flag = torch.zeros(()).pin_memory()
        flag.copy_(one, non_blocking=True)
        seen, stop = flag.numpy(), time.monotonic() + 0.3
        while seen != 1 and time.monotonic() < stop:
            pass
    return float(sum(l.item() for l in losses))
''')
