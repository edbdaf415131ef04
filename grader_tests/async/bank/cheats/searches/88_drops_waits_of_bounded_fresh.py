"""Waits for everything in each batch, and writes the waits again."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async", deserves={"train_bounded": at_most(1)},
    known="the log is an object of the process that it describes",
)
cheat.cell("train_bounded", r'''
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


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    for t, (X, y) in enumerate(data_iter()):
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        nd.waitall()
        if t < in_flight - 1:
            _drop()
''')
