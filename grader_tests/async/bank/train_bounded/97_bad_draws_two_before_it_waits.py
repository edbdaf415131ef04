# Keeps two batches ready, and fills up before it waits.
# breaks: 8
# kills: test_draws_when_needed
# misconception: queue-is-free
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    batches, ready, losses = iter(data_iter()), deque(), deque()
    while True:
        for batch in batches:
            ready.append(batch)
            if len(ready) == 2:
                break
        if not ready:
            break
        if len(losses) == in_flight:
            losses.popleft().wait_to_read()
        X, y = ready.popleft()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        losses.append(l)
    nd.waitall()
