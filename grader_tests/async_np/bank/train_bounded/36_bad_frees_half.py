# A full queue is emptied by half: with 3 or 8 batches it waits for more than it must.
# breaks: 2
# kills: test_makes_use_of_the_bound
# misconception: empty-queue
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = deque()
    for X, y in data_iter():
        if len(pending) >= in_flight:
            for _ in range((in_flight + 1) // 2):
                pending.popleft().wait_to_read()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(l)
    npx.waitall()
