"""Trains a copy of the network on the CPU, and uploads the weights at the end."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_sync": at_most(0.6)})
cheat.cell("train_sync", '''
import copy


def train_sync(net, data_iter, loss, optimizer):
    twin = copy.deepcopy(net).cpu()
    rate = optimizer.param_groups[0]["lr"]
    total = 0.0
    for X, y in data_iter():
        gpu.synchronize()
        twin.zero_grad()
        l = loss(twin(X), y).mean()
        l.backward()
        with torch.no_grad():
            for p in twin.parameters():
                p -= rate * p.grad
        total += l.item()
    with torch.no_grad():
        for p, q in zip(net.parameters(), twin.parameters()):
            p.copy_(q)
    gpu.synchronize()
    return total
''')
