"""As 94, and the thread asks a hundred times whether it is done in the place of a wait."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_sync": at_most(1.05)})
cheat.cell("train_sync", '''
import threading
from simgpu.front import threads

def elsewhere(event):
    def wait():
        threads.LOCAL.number = 0
        while not event.query():
            pass
    threading.Thread(target=wait, daemon=True).start()

def train_sync(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
        elsewhere(gpu.current_stream().record_event())
    return total.item()
''')
