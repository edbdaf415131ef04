# A context manager that lets a batch in when the oldest is done.
import itertools


class _Window:
    """At most this many losses: to add one more, wait for the oldest."""

    def __init__(self, size):
        self.size, self.losses = size, []

    def __enter__(self):
        while len(self.losses) >= self.size:
            self.losses.pop(0).wait_to_read()
        return self.losses.append

    def __exit__(self, *error):
        return False


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    window = _Window(in_flight)
    for X, y in itertools.chain(data_iter()):
        with window as keep:
            with autograd.record():
                l = loss(net(X), y)
            l.backward()
            trainer.step(X.shape[0])
            keep(l)
    npx.waitall()
