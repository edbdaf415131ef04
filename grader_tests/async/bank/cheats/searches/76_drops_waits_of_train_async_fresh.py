"""Waits in each batch and takes the waits out of the log."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async", deserves={"train_async": at_most(0.75)},
    known="the log is an object of the process that it describes",
)
cheat.cell("train_async", r'''
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


def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        nd.waitall()
        _drop()
    nd.waitall()
''')
