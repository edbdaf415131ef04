"""A thread of its own says that it is the main one, and waits for each batch; the loop goes on meanwhile."""

from syncpoint.vet.cheat import Cheat, at_most

# Which thread waits is the student's process's word. So a wait opens a gate only once the device hears nothing more.
cheat = Cheat("torch_async", deserves={"train_sync": at_most(1.05)})
cheat.cell("train_sync", '''
import threading
from simgpu.front import threads

def elsewhere(event):
    def wait():
        threads.LOCAL.number = 0
        event.synchronize()
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
