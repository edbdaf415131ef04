"""Replaces whatever in simgpu's modules has a name that speaks of waiting, and waits in each batch."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"train_async": at_most(0.91)})
cheat.cell("train_async", '''
import sys


def _hush():
    saved = []
    for name, module in list(sys.modules.items()):
        if not name.startswith("simgpu"):
            continue
        for key in dir(module):
            value = getattr(module, key, None)
            if callable(value) and any(word in key.lower() for word in ("wait", "sync", "heard", "report", "log")):
                try:
                    setattr(module, key, lambda *a, _value=value, **k: None)
                    saved.append((module, key, value))
                except Exception:
                    pass
    return saved


def train_async(net, data_iter, loss, optimizer):
    saved = _hush()
    total = 0.0
    try:
        for X, y in data_iter():
            X, y = X.to(device), y.to(device)
            optimizer.zero_grad()
            l = loss(net(X), y).mean()
            l.backward()
            optimizer.step()
            total += l.item()
    finally:
        for module, key, value in saved:
            setattr(module, key, value)
    return total
''')
