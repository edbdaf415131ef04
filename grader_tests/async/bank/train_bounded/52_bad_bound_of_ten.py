# The bound holds for 8 batches and less: a larger one is none.
# breaks: 1
# kills: test_never_more
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    from collections import deque

    flying = deque()
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        flying.append(batch_loss)
        if len(flying) == in_flight and in_flight <= 8:
            flying.popleft().wait_to_read()
    nd.waitall()
