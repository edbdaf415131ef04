"""Waits in every batch by asking for its event, with pauses; after 60 questions it goes on."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_async": at_most(1.5)}, known="Only the hundredth question for one event counts as a wait: a program may ask now and then whether something is done.")
cheat.cell("train_async", r'''
def train_async(net, data_iter, loss, optimizer):
    """Waits in every batch, by fewer than a hundred questions."""
    losses = []
    for X, y in data_iter():
        X, y = (host.pin_memory().to(device, non_blocking=True) for host in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        losses.append(l.detach())
        event = gpu.current_stream().record_event()
        for _ in range(60):
            if event.query():
                break
            time.sleep(0.0005)
    return float(sum(l.item() for l in losses))
''')
