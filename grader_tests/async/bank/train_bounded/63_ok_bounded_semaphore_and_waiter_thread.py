# A second thread waits, and gives places back to a semaphore.
import queue
import threading


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    """A second thread waits for the losses, oldest first, and lets the next batch in."""
    room, losses = threading.Semaphore(in_flight), queue.Queue()

    def waiter():
        while (one := losses.get()) is not None:
            one.wait_to_read()
            room.release()

    thread = threading.Thread(target=waiter)
    thread.start()
    try:
        for X, y in data_iter():
            room.acquire()
            with autograd.record():
                batch_loss = loss(net(X), y)
            batch_loss.backward()
            trainer.step(X.shape[0])
            losses.put(batch_loss)
    finally:
        losses.put(None)
        thread.join()
    nd.waitall()
