# Keeps a window of losses, and a history of floats next to it.
# breaks: 2
# kills: test_default, test_makes_use_of_the_bound, test_more_room_than_batches
# misconception: reads-the-task
from collections import deque


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    window, history = deque(), []
    for X, y in data_iter():
        if len(window) == in_flight:
            window.popleft().wait_to_read()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        window.append(l)
        history.append(float(l.mean()))
    npx.waitall()
    return history
