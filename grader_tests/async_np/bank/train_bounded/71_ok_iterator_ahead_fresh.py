# Two iterators over the losses: tee runs in_flight ahead.
import itertools


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    def losses():
        for X, y in data_iter():
            with autograd.record():
                l = loss(net(X), y)
            l.backward()
            trainer.step(X.shape[0])
            yield l

    ahead, behind = itertools.tee(losses())
    for _ in itertools.islice(ahead, in_flight):
        pass
    for oldest in behind:
        oldest.wait_to_read()
        next(ahead, None)
    npx.waitall()
