# Each wait is in a thread that is joined.
import threading
from collections import deque


def _wait_in_thread(array):
    thread = threading.Thread(target=array.wait_to_read)
    thread.start()
    thread.join()


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        if len(flying) >= in_flight:
            _wait_in_thread(flying.popleft())
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        flying.append(batch_loss)
    nd.waitall()
