# Keeps the losses, and makes the mean of each only when it must wait for it: that operation comes after newer work.
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = {}
    for t, (X, y) in enumerate(data_iter()):
        if t - in_flight in pending:
            pending.pop(t - in_flight).mean().asscalar()
        with autograd.record():
            l = loss(net(X), y)
        pending[t] = l
        l.backward()
        trainer.step(X.shape[0])
    nd.waitall()
