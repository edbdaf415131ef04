# A pool of threads waits for the losses; the oldest future is asked for.
from collections import deque
from concurrent.futures import ThreadPoolExecutor


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    futures = deque()
    with ThreadPoolExecutor(max_workers=1) as pool:
        for X, y in data_iter():
            if len(futures) >= in_flight:
                futures.popleft().result()
            with autograd.record():
                l = loss(net(X), y)
            l.backward()
            trainer.step(X.shape[0])
            futures.append(pool.submit(l.wait_to_read))
    nd.waitall()
