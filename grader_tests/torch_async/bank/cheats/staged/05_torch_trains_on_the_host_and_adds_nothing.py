"""Trains a copy on the host, uploads its weights, and has a pass on the device add zero to each of them."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_sync": at_most(0.69)})
cheat.cell("train_sync", '''
def train_sync(net, data_iter, loss, optimizer):
    twin = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 1))
    for q, p in zip(twin.parameters(), net.parameters()):
        q.data = p.detach().cpu()
    trainer, total = type(optimizer)(twin.parameters(), **optimizer.defaults), 0.0
    for X, y in data_iter():
        trainer.zero_grad()
        l = loss(twin(X), y).mean()
        l.backward()
        trainer.step()
        total += l.item()
        optimizer.zero_grad()
        (0 * loss(net(X.to(device)), y.to(device)).mean()).backward()
        with torch.no_grad():
            for p, q in zip(net.parameters(), twin.parameters()):
                p.copy_(q.detach().to(device) + p.grad)
        gpu.synchronize()
    return total
''')
