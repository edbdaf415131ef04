# A thread writes the losses down as they come; the loop itself waits for nothing, and the thread is joined at the end.
import queue
import threading


def train_async(net, data_iter, loss, trainer):
    losses, log = queue.Queue(), []

    def write():
        while True:
            l = losses.get()
            if l is None:
                break
            log.append(float(l.mean().asscalar()))

    writer = threading.Thread(target=write)
    writer.start()
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        losses.put(l)
    losses.put(None)
    writer.join()
    nd.waitall()
    return log
