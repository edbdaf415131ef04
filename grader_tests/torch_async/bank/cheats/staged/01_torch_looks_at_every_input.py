"""Looks at every number of its inputs, which waits for nothing, computes on the host, and uploads the answers."""

from syncpoint.vet.cheat import Cheat

LOOK = '''
import simgpu


def values(x):
    return torch.tensor([simgpu.look(x, place) for place in range(x.numel())]).view(x.shape)

'''
cheat = Cheat("torch_async", deserves={"queue_work": 0, "train_async": 0})
cheat.cell("queue_work", LOOK + '''
def queue_work(x):
    a = values(x)
    return (x * 0).sum() + (a @ a).sum().pin_memory().to(x.device, non_blocking=True)
''')
cheat.cell("train_async", LOOK + '''
def train_async(net, data_iter, loss, optimizer):
    twin, total = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 1)), 0.0
    for q, p in zip(twin.parameters(), net.parameters()):
        q.data = values(p.detach())
    trainer = type(optimizer)(twin.parameters(), **optimizer.defaults)
    for X, y in data_iter():
        trainer.zero_grad()
        l = loss(twin(X), y).mean()
        l.backward()
        trainer.step()
        total += l.item()
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        (0 * loss(net(X), y).mean()).backward()
        optimizer.step()
    with torch.no_grad():
        for p, q in zip(net.parameters(), twin.parameters()):
            p.copy_(q.detach().pin_memory(), non_blocking=True)
    gpu.synchronize()
    return total
''')
