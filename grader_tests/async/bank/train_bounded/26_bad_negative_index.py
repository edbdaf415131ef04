# The index is below zero in the first batches: an IndexError as soon as in_flight is over 2.
# breaks: 3
# misconception: empty-queue
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    losses = []
    for t, (X, y) in enumerate(data_iter()):
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        losses.append(l)
        losses[t + 1 - in_flight].wait_to_read()
    nd.waitall()
