# Stops waiting after twenty batches.
# breaks: 1
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    losses = []
    for t, (X, y) in enumerate(data_iter()):
        if in_flight <= t < 20:
            losses[t - in_flight].wait_to_read()
        with autograd.record():
            losses.append(loss(net(X), y))
        losses[-1].backward()
        trainer.step(X.shape[0])
    nd.waitall()
