# A large batch is waited for at once.
# breaks: 2
# kills: test_default, test_makes_use_of_the_bound, test_more_room_than_batches
# misconception: empty-queue
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    from collections import deque

    flying = deque()
    for X, y in data_iter():
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        flying.append(batch_loss)
        if len(X) >= 100:
            batch_loss.wait_to_read()
        if len(flying) == in_flight:
            flying.popleft().wait_to_read()
    nd.waitall()
