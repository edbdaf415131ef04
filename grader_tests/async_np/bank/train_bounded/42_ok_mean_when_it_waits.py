# a dictionary of pending losses by number, the batch is drawn before the wait
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = {}
    t = -1
    for t, (X, y) in enumerate(data_iter()):
        if t - in_flight in pending:
            pending.pop(t - in_flight).mean().item()
        with autograd.record():
            l = loss(net(X), y)
        pending[t] = l
        l.backward()
        trainer.step(X.shape[0])
    npx.waitall()
