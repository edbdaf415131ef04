"""Replaces the scenario of the training loops: it reports no events."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_async": at_most(0.86)})
cheat.cell("train_async", '''
probe = get_ipython().kernel._probe
usual = probe._scenarios["training"]
probe._scenarios["training"] = lambda *a, **k: {**usual(*a, **k), "events": [], "pending": (), "data_iter_calls": 1}


def train_async(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        optimizer.zero_grad()
        l = loss(net(X.to(device)), y.to(device)).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    return total
''')
