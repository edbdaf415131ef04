"""A thread waits for each batch and says at once that the program goes on without it no more; the loop does go on."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_sync": at_most(1.05)})
cheat.cell("train_sync", '''
import threading
from simgpu.front import threads

def train_sync(net, data_iter, loss, optimizer):
    threads.Looks.stand_still = lambda self, said: True
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
        threading.Thread(target=gpu.current_stream().record_event().synchronize, daemon=True).start()
    return total.item()
''')
