"""Makes up marks for data, waits and steps by simgpu.mark, and waits only at the end."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_sync": at_most(0.96)})
cheat.cell("train_sync", '''
def train_sync(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for number, (X, y) in enumerate(data_iter()):
        for label in ("wait", "step", "loss", "batch", "data", "next", "forward"):
            try:
                simgpu.mark(label, number)
            except Exception:
                pass
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    return total.item()
''')
