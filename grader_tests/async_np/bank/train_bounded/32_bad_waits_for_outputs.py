# Waits for what the network said, and not for the loss: the losses pile up.
# breaks: 1
# kills: test_never_more, test_default
# misconception: queue-is-free
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    window = deque()
    for X, y in data_iter():
        if len(window) >= in_flight:
            window.popleft().wait_to_read()
        with autograd.record():
            out = net(X)
            l = loss(out, y)
        l.backward()
        trainer.step(X.shape[0])
        window.append(out)
    npx.waitall()
