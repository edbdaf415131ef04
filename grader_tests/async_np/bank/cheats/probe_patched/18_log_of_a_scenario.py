"""Trains with waits in every batch; the log of the trace says nothing of them."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat(
    "async_np",
    deserves={"train_async": 0.75},
    known="the probe shares the process of the code that it watches",
)
cheat.cell("train_async", '''
trace = next(kind for kind in object.__subclasses__() if kind.__name__ == "Trace")
report = trace.report


def without_waits(self):
    self.events = [event for event in self.events if event.kind != "wait" or event is self.events[-1]]
    return report(self)


trace.report = without_waits


def train_async(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        npx.waitall()
    npx.waitall()
''')
