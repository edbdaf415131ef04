# Fills the window first, and fails where an epoch has fewer batches.
# breaks: 3
# misconception: reads-the-task
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    def enqueue(X, y):
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        return batch_loss

    batches = iter(data_iter())
    flying = deque()
    for _ in range(in_flight):
        flying.append(enqueue(*next(batches)))
    for X, y in batches:
        flying.popleft().wait_to_read()
        flying.append(enqueue(X, y))
    npx.waitall()
