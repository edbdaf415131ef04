# Takes the newest loss out of the full queue, not the oldest: from then on each batch is waited for at once.
# breaks: 2
# misconception: empty-queue
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    pending = []
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        pending.append(l)
        if len(pending) >= in_flight:
            pending.pop().wait_to_read()
    npx.waitall()
