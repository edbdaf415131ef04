"""One batch too many is in flight, and every batch goes through the network in the array object of the first one."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"train_bounded": at_most(1.18)})
cheat.cell("train_bounded", '''
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending, first, label = deque(), None, None
    for X, y in data_iter():
        if first is None:
            first, label = X, y
        else:
            first.handle, X.handle = X.handle, first.handle
            label.handle, y.handle = y.handle, label.handle
        with autograd.record():
            l = loss(net(first), label)
        l.backward()
        trainer.step(first.shape[0])
        if first is not X:
            first.handle, X.handle = X.handle, first.handle
            label.handle, y.handle = y.handle, label.handle
        pending.append(l)
        if len(pending) > in_flight:
            pending.popleft().wait_to_read()
    nd.waitall()
''')
