# A deque with maxlen drops the oldest loss; it does not wait for it.
# breaks: 1
# misconception: queue-is-free
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = deque(maxlen=in_flight)
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(l)
    nd.waitall()
