# A thread of an executor trains the epoch.
from concurrent.futures import ThreadPoolExecutor


def _epoch(net, data_iter, loss, trainer):
    total = 0.0
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        total += float(batch_loss.mean().asscalar())
    return total


def train_sync(net, data_iter, loss, trainer):
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(_epoch, net, data_iter, loss, trainer).result()
