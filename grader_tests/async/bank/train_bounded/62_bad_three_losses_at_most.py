# Three variables hold the losses: a larger in_flight is cut.
# breaks: 3
# misconception: empty-queue
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    """Three names for the losses: enough for in_flight 1, 2 and 3."""
    a = b = c = None
    for X, y in data_iter():
        oldest = {1: c, 2: b}.get(in_flight, a)
        if oldest is not None:
            oldest.wait_to_read()
        with autograd.record():
            batch_loss = loss(net(X), y)
        batch_loss.backward()
        trainer.step(X.shape[0])
        a, b, c = b, c, batch_loss
    nd.waitall()
