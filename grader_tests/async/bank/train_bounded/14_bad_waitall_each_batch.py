# waitall in each batch leaves nothing in flight.
# breaks: 2
# misconception: empty-queue
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        nd.waitall()
