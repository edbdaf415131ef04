# Records the next batches for nothing before it waits, and so looks as if in_flight batches were under way.
# breaks: 2
# kills: test_default, test_makes_use_of_the_bound, test_more_room_than_batches
# misconception: empty-queue
from collections import deque
from itertools import islice


def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    source = iter(data_iter())
    ahead = deque(islice(source, in_flight))
    while ahead:
        X, y = ahead.popleft()
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        for later, _ in islice(ahead, in_flight - 1):
            with autograd.record():
                net(later)
        l.wait_to_read()
        ahead.extend(islice(source, 1))
    nd.waitall()
