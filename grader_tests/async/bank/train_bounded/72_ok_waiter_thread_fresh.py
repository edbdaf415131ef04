# A semaphore with in_flight permits; a thread waits for the losses, oldest first, and gives the permits back.
import queue
import threading


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    permits, losses = threading.Semaphore(in_flight), queue.Queue()

    def waiter():
        while (l := losses.get()) is not None:
            l.wait_to_read()
            permits.release()

    thread = threading.Thread(target=waiter)
    thread.start()
    for X, y in data_iter():
        permits.acquire()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        losses.put(l)
    losses.put(None)
    thread.join()
    nd.waitall()
