# One update for every in_flight batches, with the gradient of the last of them only.
# breaks: 4
# misconception: divide-once
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    for t, (X, y) in enumerate(data_iter()):
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        if (t + 1) % in_flight == 0:
            trainer.step(X.shape[0])
            l.wait_to_read()
    trainer.step(X.shape[0], ignore_stale_grad=True)
    nd.waitall()
