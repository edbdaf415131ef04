# A thread of an executor trains the epoch.
from concurrent.futures import ThreadPoolExecutor


def _epoch(net, data_iter, loss, trainer):
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
    nd.waitall()


def train_async(net, data_iter, loss, trainer):
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(_epoch, net, data_iter, loss, trainer).result()
