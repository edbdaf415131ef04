"""Waits in every batch, and sorts the log afterwards: the data iterator that it is given leads to the trace."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"train_async": 0.75}, known="what a scenario hands out knows the trace")
cheat.cell("train_async", '''
def train_async(net, data_iter, loss, trainer):
    total = []
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        total.append(l.mean().asscalar())
    nd.waitall()
    data_iter.__self__._trace.events.sort(key=lambda event: bool(event.opened))
    return sum(total)
''')
