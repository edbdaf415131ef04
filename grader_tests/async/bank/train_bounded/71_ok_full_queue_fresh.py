# queue.Queue with a size; a full queue gives back its oldest loss.
import queue


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    window = queue.Queue(maxsize=in_flight)

    def room():
        if window.full():
            window.get_nowait().asnumpy()

    def step(X, y):
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        return l

    for batch in data_iter():
        room()
        window.put(step(*batch))
    while not window.empty():
        room() if window.full() else window.get().wait_to_read()
    nd.waitall()
