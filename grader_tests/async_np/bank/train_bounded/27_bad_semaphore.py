# A semaphore counts what has been queued, not what is done: it is released at once.
# breaks: 1
# misconception: queue-is-free
import threading


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    room = threading.Semaphore(in_flight)
    for X, y in data_iter():
        with room:
            with autograd.record():
                l = loss(net(X), y)
            l.backward()
            trainer.step(X.shape[0])
    npx.waitall()
