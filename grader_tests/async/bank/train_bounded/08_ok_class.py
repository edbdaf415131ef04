# A small class that holds the window.
class _Window:
    def __init__(self, size):
        self.size, self.items = size, []

    def add(self, item):
        self.items.append(item)
        while len(self.items) > self.size - 1:
            self.items.pop(0).asscalar()


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    window = _Window(in_flight)
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
            mean = l.mean()
        l.backward()
        trainer.step(X.shape[0])
        window.add(mean)
    nd.waitall()
