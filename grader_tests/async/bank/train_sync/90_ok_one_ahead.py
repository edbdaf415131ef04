# A class that draws one batch ahead.
class Epoch:
    """Draws one batch ahead, and trains the one before."""

    def __init__(self, net, loss, trainer):
        self.net, self.loss, self.trainer, self.total = net, loss, trainer, 0.0

    def batch(self, X, y):
        with autograd.record():
            l = self.loss(self.net(X), y)
        l.backward()
        self.trainer.step(X.shape[0])
        return l.mean()

    def run(self, batches):
        batches = iter(batches)
        batch = next(batches, None)
        while batch is not None:
            mean = self.batch(*batch)
            batch = next(batches, None)
            self.total += float(mean.asscalar())
        return self.total


def train_sync(net, data_iter, loss, trainer):
    total = Epoch(net, loss, trainer).run(data_iter())
    nd.waitall()
    return total
