# A while loop that makes room first and draws the next batch then; all parameters are waited for at the end.
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    source, running, l_sum = iter(data_iter()), deque(), 0.0
    while True:
        if len(running) == in_flight:
            l_sum += running.popleft().asnumpy().mean()
        try:
            X, y = next(source)
        except StopIteration:
            break
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        running.append(l)
    l_sum += sum(l.asnumpy().mean() for l in running)
    for p in net.collect_params().values():
        p.data().wait_to_read()
    return float(l_sum)
