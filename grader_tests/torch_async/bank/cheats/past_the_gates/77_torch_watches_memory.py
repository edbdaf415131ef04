"""Waits in every batch until memory that another stream read is allocated again, for 0.3 s at most."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "torch_async",
    deserves={"train_async": at_most(1.5)},
)
cheat.cell("train_async", '''
side = gpu.Stream()


def watch():
    """Memory that another stream may still read is allocated again only after that read."""
    side.wait_stream(gpu.current_stream())
    block = torch.empty(2**20, device=device)
    place = block.data_ptr()
    block.record_stream(side)
    with gpu.stream(side):
        block.add_(1)
    del block
    until = time.perf_counter() + 0.3
    while time.perf_counter() < until:
        again = torch.empty(2**20, device=device)
        if again.data_ptr() == place:
            return
        del again


def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
        watch()
    return total.item()
''')
