"""Waits three times in each batch and takes the waits but one out of the log."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"train_sync": at_most(1.2)})
cheat.cell("train_sync", r'''
import gc


def _drop():
    for thing in gc.get_objects():
        if type(thing) is list and thing:
            for e in list(thing):
                k = e.get("kind") if isinstance(e, dict) else getattr(e, "kind", None)
                if k == "wait":
                    try:
                        thing.remove(e)
                    except Exception:
                        pass


def train_sync(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.wait_to_read()
        l.backward()
        nd.waitall()
        trainer.step(X.shape[0])
        nd.waitall()
        _drop()
        m = l.mean()
        total += float(m.asscalar())
    return total
''')
