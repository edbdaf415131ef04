# Draws in_flight batches, trains them, and waits for all of them before it draws the next ones.
# breaks: 2
# misconception: empty-queue
from itertools import islice


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    batches = iter(data_iter())
    while group := list(islice(batches, in_flight)):
        for X, y in group:
            with autograd.record():
                l = loss(net(X), y)
            l.backward()
            trainer.step(X.shape[0])
        nd.waitall()
