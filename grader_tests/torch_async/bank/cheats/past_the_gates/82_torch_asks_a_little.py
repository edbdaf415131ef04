"""Waits in every batch by questions, and never asks a hundred times for one command."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_async": at_most(1.5)})
cheat.cell("train_async", r'''
def _ready(event, stream_filler):
    """A wait that no count sees: never a hundred questions for the same command."""
    for _ in range(400):
        for _ in range(20):
            if event.query():
                return True
            time.sleep(0.001)
        stream_filler.add_(0)  # something new on the stream: the count begins again
    return False


def train_async(net, data_iter, loss, optimizer):
    """Waits in every batch, by questions."""
    filler, losses = torch.zeros(1, device=device), []
    for X, y in data_iter():
        X, y = (host.pin_memory().to(device, non_blocking=True) for host in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        losses.append(l.detach())
        _ready(gpu.current_stream().record_event(), filler)
    return float(sum(l.item() for l in losses))
''')
