# One thread for each batch waits for its loss; the oldest one is joined before the next batch is drawn.
import threading


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    waiting, batches = [], iter(data_iter())
    while True:
        if len(waiting) == in_flight:
            waiting.pop(0).join()
        batch = next(batches, None)
        if batch is None:
            break
        X, y = batch
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        waiting.append(threading.Thread(target=l.wait_to_read))
        waiting[-1].start()
    for thread in waiting:
        thread.join()
    nd.waitall()
